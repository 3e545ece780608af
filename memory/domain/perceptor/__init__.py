"""The Perceptor: what of a message is worth keeping, decided by rules from data files."""

from memory.domain.perceptor.perception import (
    JSON,
    Doubt,
    Perception,
    Record,
    Signal,
    SignalKind,
)
from memory.domain.perceptor.pipeline import perceive

__all__ = ["JSON", "Doubt", "Perception", "Record", "Signal", "SignalKind", "perceive"]
