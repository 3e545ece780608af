"""What the Perceptor found, as plain data for a row or an answer."""

from dataclasses import asdict
from typing import Any

from memory.domain.perceptor import Record, Signal


def signal_json(signal: Signal) -> dict[str, Any]:
    """A signal with its span, confidence and reason."""
    return asdict(signal)


def record_json(record: Record) -> dict[str, Any]:
    """A record that would be kept."""
    return asdict(record)
