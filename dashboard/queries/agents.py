"""A person's agents, with what each has brought and when it last asked."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, QuerySet

from memory.models import Agent, ApiToken, Conversation, Fact, Principal


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One agent as its owner sees it."""

    agent: Agent
    facts: int
    conversations: int
    tokens: int
    used_at: datetime | None


def agents_for(principal: Principal) -> list[AgentLine]:
    """The principal's agents by name, in four queries however many there are."""
    facts = _numbers(Fact.objects.visible_to(principal).memories().active(), "scope__agent")
    conversations = _numbers(Conversation.objects.visible_to(principal), "agent")
    tokens = tokens_for(principal).order_by()
    tokens_of = _numbers(tokens, "agent")
    used = dict(tokens.values_list("agent").annotate(Max("last_used_at")))
    return [
        AgentLine(
            agent=agent,
            facts=facts.get(agent.pk, 0),
            conversations=conversations.get(agent.pk, 0),
            tokens=tokens_of.get(agent.pk, 0),
            used_at=used.get(agent.pk),
        )
        for agent in Agent.objects.visible_to(principal).order_by("name")
    ]


def tokens_for(principal: Principal) -> "QuerySet[ApiToken]":
    """The tokens of the principal's user that open something, the last made first."""
    own = ApiToken.objects.visible_to(principal).usable()
    return own.select_related("agent").order_by("-recorded_at")


def _numbers(rows: "QuerySet[Any]", field: str) -> dict[UUID, int]:
    named = rows.filter(**{f"{field}__isnull": False}).order_by()
    return dict(named.values_list(field).annotate(Count("pk")))
