"""Memories as rows of the SQLite stores of two other systems, told apart by their columns."""

from collections.abc import Callable, Mapping
from datetime import datetime

from memory.domain.capture import FactDraft
from memory.domain.fields import DecayClass, Shelf
from memory.domain.foreign.found import (
    Found,
    confidence_of,
    decay_of,
    importance_of,
    labeled,
    moment_of,
    tags_of,
    text_of,
)

Row = Mapping[str, object]
Reader = Callable[[Row, str, frozenset[str], datetime], Found]
HYBRID, OKBRAIN = "hybrid-memory", "okbrain"
LIFETIME_OF_SHELF = {
    Shelf.CORE: DecayClass.DURABLE,
    Shelf.TECHNICAL: DecayClass.DURABLE,
    Shelf.PROJECT: DecayClass.NORMAL,
    Shelf.TRANSIENT: DecayClass.SHORT,
}


def form_of(columns: set[str]) -> str | None:
    """Which system wrote a table `facts` with these columns; None for another one."""
    if {"text", "category"} <= columns:
        return HYBRID
    return OKBRAIN if {"fact", "user_id"} <= columns else None


def hybrid_row(row: Row, place: str, known: frozenset[str], now: datetime) -> Found:
    """A row of openclaw-hybrid-memory's `facts`."""
    owner = text_of(row.get("scope_target")) if row.get("scope") == "user" else ""
    expires_at = moment_of(row.get("expires_at"))
    if row.get("superseded_at"):
        return Found(place, None, "A newer one replaced it there.", owner)
    if expires_at and expires_at <= now:
        return Found(place, None, "It had expired there.", owner)
    draft = FactDraft(
        text=text_of(row.get("text")),
        why=text_of(row.get("why")) or "Imported from openclaw-hybrid-memory.",
        entity=text_of(row.get("entity")),
        key=text_of(row.get("key")),
        value=text_of(row.get("value")),
        importance=importance_of(_share(row.get("importance"))) or 5,
        confidence=confidence_of(row.get("confidence")),
        decay_class=decay_of(row.get("decay_class")),
        expires_at=expires_at,
        freeze_until=moment_of(row.get("decay_freeze_until")),
        source_date=moment_of(row.get("source_date")) or moment_of(row.get("created_at")),
        valid_from=moment_of(row.get("valid_from")),
        valid_until=moment_of(row.get("valid_until")),
        **labeled(row.get("category"), tags_of(row.get("tags")), known),  # type: ignore[arg-type]  # its keys are fields
    )
    return Found(place, draft, owner=owner)


def okbrain_row(row: Row, place: str, known: frozenset[str], now: datetime) -> Found:
    """A row of OKBrain's `facts`, whose categories are the shelves of a fact sheet."""
    shelf = text_of(row.get("category"))
    chosen = Shelf(shelf) if shelf in set(Shelf) else Shelf.PROJECT
    draft = FactDraft(
        text=text_of(row.get("fact")),
        why="Imported from OKBrain.",
        category="fact",
        shelf=chosen,
        decay_class=LIFETIME_OF_SHELF[chosen],
        source_date=moment_of(row.get("created_at")),
    )
    return Found(place, draft, owner=text_of(row.get("user_id")))


READERS: Mapping[str, Reader] = {HYBRID: hybrid_row, OKBRAIN: okbrain_row}


def _share(value: object) -> object:
    # 1 is the top of a share, and not the least of ten.
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
