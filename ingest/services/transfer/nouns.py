"""What an export holds: the nouns, in the order in which they can be put back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from ingest.models import Document, Member
from memory.models import (
    Agent,
    Category,
    Conversation,
    Credential,
    Fact,
    FactHistory,
    FactUsage,
    Turn,
)

FORM, VERSION = "longhand-export", 1
# Told by name and not by id: another installation has others.
BY_NAME = ("scope", "agent", "conversation")
LEASE = ("claim_token", "claimed_until", "attempts", "last_error", "cancel_requested", "retry_at")
# Made again from the text where it is put back.
INDEX = ("search", "doc_length")


@dataclass(frozen=True, slots=True)
class Noun:
    """One kind of row, and which of its columns travel.

    Shape: `renamed` maps a column to its name in the file, where that is not the same.
    """

    name: str
    model: type[models.Model]
    left_out: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def member(self) -> str:
        """The file's name inside a person's folder."""
        return f"{self.name}.jsonl"

    def columns(self) -> dict[str, "models.Field[Any, Any]"]:
        """The columns that travel, by their names in the file."""
        own = self.model._meta.concrete_fields
        kept = [each for each in own if each.name not in self.left_out]
        return {self.renamed.get(each.name, each.name): each for each in kept}


CATEGORIES = Noun("categories", Category)
AGENTS = Noun("agents", Agent, ("id", "owner"))
CONVERSATIONS = Noun("conversations", Conversation, ("id", "owner"))
DOCUMENTS = Noun("documents", Document, ("file", "uploaded_by", *LEASE))
MEMBERS = Noun("members", Member)
TURNS = Noun("turns", Turn, INDEX)
FACTS = Noun("facts", Fact, ("content_hash", *INDEX))
USAGE = Noun("usage", FactUsage)
HISTORY = Noun(
    "history",
    FactHistory,
    ("pgh_id", "document"),
    {"pgh_obj": "fact", "pgh_label": "what", "pgh_created_at": "at", "pgh_context": "context"},
)
# Told and never put back: what they are worth is in the vault alone.
CREDENTIALS = Noun("credentials", Credential, ("scope", "ciphertext", "key_id", "digest"))
NOUNS = (CATEGORIES, AGENTS, CONVERSATIONS, DOCUMENTS, MEMBERS, TURNS, FACTS, USAGE, HISTORY)


def as_json(value: object) -> object:
    """The value as JSON can say it: moments and ids as text, bytes in hexadecimal."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value
