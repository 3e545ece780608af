"""The shapes that come in and go out."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from ninja import Schema
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from memory.domain.fields import MAX_QUERY_CHARACTERS
from memory.domain.moments import moment_or_none
from memory.domain.text import clean_text
from memory.models import Fact, Scope, Turn


def _cleaned(value: object) -> object:
    return clean_text(value) if isinstance(value, str) else value


# What no column can hold is cleaned at the door, whichever field it came in.
Text = Annotated[str, BeforeValidator(_cleaned)]
# What is asked for; limited as a text is, and not as a list.
Words = Annotated[str, Field(max_length=MAX_QUERY_CHARACTERS), BeforeValidator(_cleaned)]


def _bounded(value: datetime) -> datetime:
    if moment_or_none(value) is None:
        raise ValueError("must lie in the years 100 to 9000")
    return value


# Keeps its own zone, in which a turn's "tomorrow" is meant.
Moment = Annotated[AwareDatetime, AfterValidator(_bounded)]


class Strict(Schema):
    """A body whose unknown fields are refused, so that a typing error is not lost."""

    model_config = ConfigDict(extra="forbid")


def require_order(given: Schema, low: str, high: str) -> None:
    """Refuse two bounds between which nothing lies: that was not meant.

    Raises: ValueError naming both.
    """
    first, last = getattr(given, low), getattr(given, high)
    if first is not None and last is not None and first > last:
        raise ValueError(f"{low} is above {high}, so that nothing could match")


class ScopeIn(Strict):
    """A scope by its kind and, where it has one, its target."""

    kind: Literal["global", "user", "agent", "session"]
    agent: Text | None = None
    conversation: Text | None = None


def _spelled_out(value: object) -> object:
    if isinstance(value, str) and value not in Scope.Kind.values:
        raise ValueError("Use global, user, agent or session.")
    return {"kind": value} if isinstance(value, str) else value


ScopeKind = Literal["global", "user", "agent", "session"]
# One shape and no union, whose branches would all complain about what only one of them meant.
ScopeChoice = Annotated[
    ScopeIn, BeforeValidator(_spelled_out, json_schema_input_type=ScopeKind | ScopeIn)
]


class TurnIn(Strict):
    """One utterance."""

    conversation: Text
    role: Text
    text: Text
    speaker: Text = ""
    observed_at: Moment | None = None
    agent: Text | None = None
    scope: ScopeChoice | None = None
    key: Text = ""


class FactFields(Strict):
    """What a person or a client may say of a fact."""

    why: Text | None = None
    kind: Text | None = None
    category: Text | None = None
    tags: list[Text] | None = None
    importance: int | None = Field(None, ge=1, le=10)
    confidence: float | None = Field(None, ge=0, le=1)
    entity: Text | None = None
    key: Text | None = None
    value: Text | None = None
    source_date: Moment | None = None
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    expires_at: Moment | None = None
    activate_at: Moment | None = None
    attributes: dict[str, Any] | None = None
    decay_class: (
        Literal[
            "permanent", "durable", "stable", "active", "normal", "short", "session",
            "ephemeral", "checkpoint",
        ]
        | None
    ) = None  # fmt: skip


class FactIn(FactFields):
    """A statement to remember."""

    text: Text
    scope: ScopeChoice | None = None
    supersedes: UUID | None = None


class FactPatch(FactFields):
    """What to change of a fact."""

    text: Text | None = None
    shelf: Literal["core", "project", "technical", "transient"] | None = None
    pinned: bool | None = None
    critical: bool | None = None


class ForgetIn(Strict):
    """Why a fact is forgotten."""

    reason: Text = Field("", max_length=500)


class FiltersIn(Strict):
    """Conditions on what may be recalled."""

    kind: Text | None = None
    category: Text | None = None
    tag: Text | None = None
    entity: Text | None = None
    source: Text | None = None
    document: UUID | None = None
    since: Moment | None = None
    until: Moment | None = None

    @model_validator(mode="after")
    def _require_order(self) -> Self:
        require_order(self, "since", "until")
        return self


class RecallIn(Strict):
    """One question."""

    query: Text
    limit: int = 10
    mode: Text = "hybrid"
    include: list[Text] = ["facts"]
    filters: FiltersIn = FiltersIn()
    as_of: Moment | None = None
    budget_tokens: int | None = Field(None, ge=0)
    explain: bool = True
    agent: Text | None = None
    conversation: Text | None = None


def scope_json(scope: Scope) -> dict[str, Any]:
    """A scope as clients see it."""
    answer: dict[str, Any] = {"kind": scope.kind}
    if scope.agent:
        answer["agent"] = scope.agent.name
    if scope.conversation:
        answer["conversation"] = scope.conversation.key
    return answer


def fact_json(fact: Fact) -> dict[str, Any]:
    """A fact as clients see it."""
    return {
        **{name: getattr(fact, name) for name in FACT_FIELDS},
        "scope": scope_json(fact.scope),
        "document": _passage_json(fact) if fact.is_passage else None,
        "turn": fact.turn_id,
        "usage": _usage_json(fact),
    }


def turn_json(turn: Turn) -> dict[str, Any]:
    """A turn as clients see it."""
    return {
        **{name: getattr(turn, name) for name in TURN_FIELDS},
        "observed_at": turn.observed_at.astimezone(UTC),
        "scope": scope_json(turn.scope),
        "conversation": turn.conversation.key,
    }


FACT_FIELDS = (
    "id", "text", "why", "kind", "category", "shelf", "entity", "key", "value", "tags", "lang",
    "importance", "importance_source", "confidence", "status", "status_reason", "decay_class",
    "expires_at", "activate_at", "freeze_until", "critical", "pinned", "tier", "source",
    "source_date", "valid_from", "valid_until", "recorded_at", "superseded_at",
    "superseded_by_id", "attributes",
)  # fmt: skip
TURN_FIELDS = ("id", "role", "speaker", "text", "observed_at", "recorded_at")


def _passage_json(fact: Fact) -> dict[str, Any]:
    document = fact.document
    return {
        "id": fact.document_id,
        "name": document.name if document else "",
        "ordinal": fact.ordinal,
        "page": fact.locator.get("page"),
        "heading": fact.locator.get("heading"),
        "places": fact.locator.get("places") or [],
    }


def _usage_json(fact: Fact) -> dict[str, Any]:
    usage = getattr(fact, "usage", None)
    last: datetime | None = usage.last_recalled_at if usage else None
    return {"recalls": usage.recall_count if usage else 0, "last_recalled_at": last}
