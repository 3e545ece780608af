"""Tables of the domain, one noun a file."""

from memory.models.agents import Agent
from memory.models.audit import AuditEntry
from memory.models.categories import Category
from memory.models.conversations import Conversation
from memory.models.counts import ScopeCount
from memory.models.credentials import Credential
from memory.models.embedders import active_embedder, active_model
from memory.models.embeddings import (
    Embedding,
    EmbeddingModel,
    facts_without_vector,
    turns_without_vector,
)
from memory.models.facts import Fact, FactUsage
from memory.models.history import FactHistory, with_changed_at, with_edited_at
from memory.models.jobs import JobRun, ScheduleDeclaration, WorkerBeat
from memory.models.mails import WantedMail
from memory.models.principals import Principal, acting_as
from memory.models.scoped import across_owners, within_scopes
from memory.models.scopes import Scope
from memory.models.tokens import ApiToken, SignInLink
from memory.models.turns import Turn
from memory.models.users import User

__all__ = [
    "Agent",
    "ApiToken",
    "AuditEntry",
    "Category",
    "Conversation",
    "Credential",
    "Embedding",
    "EmbeddingModel",
    "Fact",
    "FactHistory",
    "FactUsage",
    "JobRun",
    "Principal",
    "ScheduleDeclaration",
    "Scope",
    "ScopeCount",
    "SignInLink",
    "Turn",
    "User",
    "WantedMail",
    "WorkerBeat",
    "across_owners",
    "acting_as",
    "active_embedder",
    "active_model",
    "facts_without_vector",
    "turns_without_vector",
    "with_changed_at",
    "with_edited_at",
    "within_scopes",
]
