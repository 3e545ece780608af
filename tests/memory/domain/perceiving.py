"""A day on which things are said, and what is kept of them."""

from datetime import UTC, datetime
from typing import Any

from memory.domain.perceptor import perceive
from memory.domain.perceptor.perception import Record

FRIDAY = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)


def first(text: str, **how: Any) -> Record:
    """The first record of this message, of which something has to be kept."""
    perception = perceive(text, **how)
    assert perception.records, perception.skipped
    return perception.records[0]
