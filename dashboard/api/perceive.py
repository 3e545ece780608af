"""What would be kept of a message, and why."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Router, Schema
from pydantic import Field

from dashboard.api.auth import ApiRequest
from dashboard.api.schemas import Moment, Strict, Text
from memory.domain.capture import FactDraft
from memory.domain.fields import DecayClass, ImportanceSource, Shelf
from memory.domain.perceptor import SignalKind
from memory.services.perceptions import Outcome, examine

router = Router(tags=["turns"])


class PerceiveIn(Strict):
    """A message to try."""

    text: Text
    role: Text = "user"
    observed_at: Moment | None = Field(None, description="When it is said; now, if left out.")


class SignalOut(Schema):
    """What one detector found: where in `text` of the answer, how sure, and why."""

    kind: SignalKind
    start: int = Field(description="The first character, counted from 0.")
    end: int = Field(description="The character after the last one.")
    confidence: float
    reason: str


class MemoryOut(Schema):
    """A memory that is there already."""

    id: UUID
    text: str


class RecordOut(Schema):
    """One memory that the message would give, with the reason of each decision."""

    text: str
    kind: str
    kind_confidence: float
    category: str
    shelf: Shelf
    importance: int
    importance_source: ImportanceSource = ImportanceSource.PERCEPTOR
    confidence: float
    entity: str
    key: str
    value: str
    tags: list[str]
    lang: str
    decay_class: DecayClass
    critical: bool
    source_date: datetime | None
    valid_from: datetime | None
    activate_at: datetime | None
    freeze_until: datetime | None
    expires_at: datetime | None
    attributes: dict[str, Any] = Field(description="Reserved names only, such as people.")
    corrects: list[str] = Field(description="The words that a correction takes back.")
    signals: list[SignalOut]
    start: int
    end: int
    reasons: dict[str, str] = Field(description="Why each decided field is so, by its name.")
    known: MemoryOut | None = Field(description="What says the same already; nothing new is kept.")
    newer: MemoryOut | None = Field(description="What was said later and stays in its place.")
    replaces: list[MemoryOut]
    disputes: list[MemoryOut] = Field(description="What it contradicts; both stay.")
    note: str


class DoubtOut(Schema):
    """A sentence that is neither kept nor dropped: what waits, and how sure it is."""

    text: str
    start: int
    end: int
    confidence: float
    signals: list[SignalOut]
    reason: str


class PerceiveOut(Schema):
    """The whole decision about a message that is stored nowhere."""

    text: str = Field(description="The message as it would be stored: secrets are masked.")
    signals: list[SignalOut]
    records: list[RecordOut]
    doubts: list[DoubtOut]
    skipped: str | None = Field(description="Why nothing is kept; null where something is.")
    masked: list[str] = Field(description="The kinds of secret that were masked.")
    to_vault: list[str] = Field(description="Those whose values the vault would take.")
    notice: str | None = Field(description="Why the rules decided alone, if they did.")
    took_ms: float


@router.post("perceive", response=PerceiveOut, url_name="perceive")
def perceive_message(request: ApiRequest, payload: PerceiveIn) -> dict[str, Any]:
    """What would be kept of a message and why, as for a turn; stores nothing."""
    examined = examine(
        payload.text,
        principal=request.principal,
        role=payload.role,
        observed_at=payload.observed_at,
    )
    perception = examined.perception
    return {
        "text": examined.text,
        "signals": perception.signals,
        "records": [_record(each) for each in examined.outcomes],
        "doubts": perception.doubts,
        "skipped": perception.skipped,
        "masked": examined.masked,
        "to_vault": examined.to_vault,
        "notice": examined.notice or None,
        "took_ms": round(examined.took_ms, 3),
    }


def _record(outcome: Outcome) -> dict[str, Any]:
    """The record, with what it would be stored as where that differs, and what it would do."""
    record, draft = asdict(outcome.record), outcome.draft
    stored = {name: getattr(draft, name) for name in record.keys() & FactDraft.__dataclass_fields__}
    effects = ("known", "newer", "replaces", "disputes", "note")
    dated = {"source_date": outcome.record.source_date}
    return {**record, **stored, **dated} | {name: getattr(outcome, name) for name in effects}
