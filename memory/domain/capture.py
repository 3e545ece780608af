"""What is about to be remembered, before it has a row."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory.domain.errors import InvalidInput
from memory.domain.fields import (
    MAX_FACT_CHARACTERS,
    DecayClass,
    ImportanceSource,
    Kind,
    Shelf,
    Source,
)
from memory.domain.redaction import redact
from memory.domain.text import clean_tags, clean_text, require_text

if TYPE_CHECKING:
    from memory.domain.perceptor import Record

MAX_NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """One statement to remember; `cleaned` must be called before it is stored."""

    text: str
    why: str = ""
    kind: str = Kind.FACT
    category: str = "other"
    shelf: str = Shelf.PROJECT
    entity: str = ""
    key: str = ""
    value: str = ""
    tags: tuple[str, ...] = ()
    lang: str = "en"
    importance: int = 5
    importance_source: str = ImportanceSource.PERCEPTOR
    confidence: float = 1.0
    decay_class: str = DecayClass.NORMAL
    source: str = Source.API
    source_date: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    freeze_until: datetime | None = None
    attributes: dict[str, object] = field(default_factory=dict)

    def cleaned(self) -> "FactDraft":
        """The draft with clean, masked and bounded text.

        Raises: InvalidInput naming the field and its limit.
        """
        text = require_text(self.text, field="text", limit=MAX_FACT_CHARACTERS)
        require_kind(self.kind)
        return replace(
            self,
            text=masked(text),
            why=masked(_bounded(self.why, "why", MAX_FACT_CHARACTERS)),
            entity=masked(_bounded(self.entity, "entity", MAX_NAME_CHARACTERS)),
            key=masked(_bounded(self.key, "key", MAX_NAME_CHARACTERS)),
            value=masked(_bounded(self.value, "value", MAX_FACT_CHARACTERS)),
            tags=tuple(masked(tag) for tag in clean_tags(self.tags)),
        )


def draft_of(record: "Record", *, said_at: datetime) -> FactDraft:
    """The draft of what the Perceptor found in a turn, dated by the turn unless it says a date."""
    return FactDraft(
        text=record.text,
        kind=record.kind,
        category=record.category,
        shelf=record.shelf,
        entity=record.entity,
        key=record.key,
        value=record.value,
        tags=record.tags,
        importance=record.importance,
        confidence=record.confidence,
        decay_class=record.decay_class,
        source=Source.CONVERSATION,
        source_date=record.source_date or said_at,
        valid_from=record.valid_from,
        expires_at=record.expires_at,
        freeze_until=record.freeze_until,
        attributes=dict(record.attributes),
    )


def masked(text: str) -> str:
    """The text without its secrets."""
    return redact(text).text


def require_kind(kind: str) -> None:
    """Refuse a kind that is neither known nor an extension.

    Raises: InvalidInput naming the kinds.
    """
    if kind not in set(Kind) and not (kind.startswith("x-") and len(kind) <= 32):
        raise InvalidInput(
            f"Unknown kind {kind!r}. Use one of: {', '.join(Kind)}, or an x- prefix.", field="kind"
        )


def _bounded(text: str, name: str, limit: int) -> str:
    cleaned = clean_text(text).strip()
    if len(cleaned) > limit:
        raise InvalidInput(f"{name} is longer than {limit:,} characters.", field=name)
    return cleaned
