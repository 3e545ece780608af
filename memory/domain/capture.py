"""What is about to be remembered, before it has a row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory.domain.attributes import checked_attributes
from memory.domain.errors import InvalidInput
from memory.domain.fields import (
    MAX_FACT_CHARACTERS,
    DecayClass,
    ImportanceSource,
    Kind,
    Shelf,
    Source,
)
from memory.domain.moments import moment_or_none, require_moment
from memory.domain.record_secrets import MaskedFact, masked_fact, secrets_aside
from memory.domain.redaction import redact
from memory.domain.redaction.together import Secret
from memory.domain.text import clean_tags, clean_text, require_text

if TYPE_CHECKING:
    from memory.domain.perceptor import Record

MAX_NAME_CHARACTERS = 200
WRITTEN = ("text", "why", "entity", "key", "value")
MOMENTS = (
    "source_date", "valid_from", "valid_until", "expires_at", "activate_at", "freeze_until",
)  # fmt: skip


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
    activate_at: datetime | None = None
    freeze_until: datetime | None = None
    critical: bool = False
    attributes: Mapping[str, object] = field(default_factory=dict)
    idempotency_key: str = ""

    def cleaned(self) -> "FactDraft":
        """The draft with clean, masked and bounded text.

        Raises: InvalidInput naming the field and its limit.
        """
        require_text(self.text, field="text", limit=MAX_FACT_CHARACTERS)
        require_kind(self.kind)
        # "password" and "hunter2" are harmless apart, and a secret side by side.
        safe = self._read().fields
        return replace(
            self,
            text=safe["text"],
            why=_bounded(safe["why"], "why", MAX_FACT_CHARACTERS),
            entity=_name(safe["entity"], "entity"),
            key=_name(safe["key"], "key"),
            value=_bounded(safe["value"], "value", MAX_FACT_CHARACTERS),
            tags=tuple(clean_tags(safe["tags"])),
            attributes=checked_attributes(safe["attributes"]),
            idempotency_key=_client_key(self.idempotency_key),
            **self._moments(),
        )

    def secrets(self) -> tuple[Secret, ...]:
        """The secrets that its fields hold, each for itself or beside the others."""
        told = (*self._read().secrets, *secrets_aside(self.attributes))
        return tuple(dict.fromkeys(told))

    def _read(self) -> MaskedFact:
        given: dict[str, Any] = {name: clean_text(getattr(self, name)) for name in WRITTEN}
        given["tags"] = [clean_text(tag) for tag in self.tags]
        given["attributes"] = checked_attributes(self.attributes)
        return masked_fact(given)

    def _moments(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in MOMENTS}
        return {
            name: require_moment(value, field=name)
            for name, value in given.items()
            if value is not None
        }


def draft_of(record: "Record", *, said_at: datetime) -> FactDraft:
    """The draft of what the Perceptor found in a turn, dated by the turn unless it says a date."""
    return FactDraft(
        text=record.text,
        kind=record.kind,
        category=record.category,
        shelf=record.shelf,
        entity=masked(record.entity)[:MAX_NAME_CHARACTERS],
        key=masked(record.key)[:MAX_NAME_CHARACTERS],
        value=masked(record.value)[:MAX_FACT_CHARACTERS],
        tags=record.tags,
        lang=record.lang,
        importance=record.importance,
        confidence=record.confidence,
        decay_class=record.decay_class,
        source=Source.CONVERSATION,
        source_date=moment_or_none(record.source_date) or said_at,
        valid_from=moment_or_none(record.valid_from),
        expires_at=moment_or_none(record.expires_at),
        activate_at=moment_or_none(record.activate_at),
        critical=record.critical,
        freeze_until=moment_or_none(record.freeze_until),
        attributes=dict(record.attributes),
    )


_EXTENSION = re.compile(r"x-[a-z]+(-[a-z]+){0,4}")
MAX_KIND_CHARACTERS = 32


def is_extension(kind: str) -> bool:
    """Whether this is a kind of somebody's own: small letters after x-, no secret of any form."""
    return len(kind) <= MAX_KIND_CHARACTERS and bool(_EXTENSION.fullmatch(kind))


def masked(text: str) -> str:
    """The text without its secrets."""
    return redact(text).text


def require_no_secret(text: str, *, field: str) -> None:
    """Refuse a client's own key that holds a secret: it could not be masked and stay a key.

    Raises: InvalidInput naming the field.
    """
    if redact(text).found:
        raise InvalidInput(f"{field} holds a secret. Use another key.", field=field)


def require_kind(kind: str, *, field: str = "kind") -> None:
    """Refuse a kind that is neither known nor an extension; `field` is the client's word for it.

    Raises: InvalidInput naming the kinds.
    """
    if kind not in set(Kind) and not is_extension(kind):
        raise InvalidInput(
            f"Unknown {field} {kind!r}. Use one of: {', '.join(Kind)}, or small letters after x-.",
            field=field,
        )


def require_names(names: Mapping[str, str]) -> None:
    """Refuse names of a thing or a property that a mask has made too long.

    Raises: InvalidInput naming the field.
    """
    for field_name, name in names.items():
        _name(name, field_name)


def _name(text: str, field: str) -> str:
    """The name on one line: spacing does not tell two of them apart."""
    return " ".join(_bounded(text, field, MAX_NAME_CHARACTERS).split())


def _client_key(key: str) -> str:
    require_no_secret(key, field="idempotency_key")
    return _bounded(clean_text(key), "idempotency_key", MAX_NAME_CHARACTERS)


def _bounded(text: str, name: str, limit: int) -> str:
    # After it was masked: a mask may be longer than the secret below it.
    cleaned = text.strip()
    if len(cleaned) > limit:
        raise InvalidInput(f"{name} is longer than {limit:,} characters.", field=name)
    return cleaned
