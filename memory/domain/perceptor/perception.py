"""What the Perceptor hands back: signals, the records they justify, or why nothing is kept."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from memory.domain.fields import DecayClass, Kind, Shelf

JSON: TypeAlias = "str | int | float | bool | list[JSON] | dict[str, JSON] | None"


class SignalKind(StrEnum):
    """What makes a sentence worth keeping, the weightiest first."""

    CORRECTION = "correction"
    MEMORY_REQUEST = "memory_request"
    RULE = "rule"
    IDENTITY = "identity"
    PREFERENCE = "preference"
    TIME_COMMITMENT = "time_commitment"


@dataclass(frozen=True, slots=True)
class Signal:
    """One detector's finding: where in the message, how sure, and why.

    Units: `start` and `end` are character offsets into the message as given.
    """

    kind: SignalKind
    start: int
    end: int
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """One sentence worth keeping, in its own words, with the fields a fact needs.

    `attributes` holds the protocol's reserved names only; `corrects` the words that a correction
    takes back; `reasons` why each decided field is what it is, by the field's name.
    """

    text: str
    kind: Kind
    category: str
    shelf: Shelf
    importance: int
    confidence: float
    entity: str
    key: str
    value: str
    tags: tuple[str, ...]
    decay_class: DecayClass
    source_date: datetime | None
    valid_from: datetime | None
    expires_at: datetime | None
    freeze_until: datetime | None
    attributes: dict[str, JSON]
    signals: tuple[Signal, ...]
    start: int
    end: int
    lang: str = "en"
    activate_at: datetime | None = None
    critical: bool = False
    kind_confidence: float = 1.0
    corrects: tuple[str, ...] = ()
    reasons: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence that the rules neither keep nor drop; a classifier or a model may decide.

    `record` is what it would give if it were kept.
    """

    text: str
    start: int
    end: int
    confidence: float
    signals: tuple[Signal, ...]
    reason: str
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Perception:
    """All that was perceived; `skipped` says why nothing is kept, else it is None."""

    signals: tuple[Signal, ...]
    records: tuple[Record, ...]
    skipped: str | None
    doubts: tuple[Doubt, ...] = ()
