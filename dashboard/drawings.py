"""The other small drawings: sparkline, heartbeats, stage dots and score bars, as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.lifeline import polyline

BEATS = 40
BEAT_WIDTH, BEAT_GAP, BEAT_HEIGHT = 2.5, 1.0, 14
STAGES = ("stored", "parsed", "searchable", "embedded")


def spark_path(values: Sequence[float], width: int, height: int) -> str:
    """A line through the values, scaled to the box; empty without two values."""
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    step = (width - 2) / (len(values) - 1)
    shares = [_share(value, low, high) for value in values]
    tops = [height - 2 - share * (height - 4) for share in shares]
    return polyline([(1 + index * step, y) for index, y in enumerate(tops)])


def _share(value: float, low: float, high: float) -> float:
    if high > low:
        return (value - low) / (high - low)
    # A level that never changed is no zero: it stands in the middle.
    return 0.5 if value else 0.0


@dataclass(frozen=True, slots=True)
class Beat:
    """One tick: where it stands, how tall it is, and its class."""

    x: float
    y: int
    height: int
    name: str


def beats(outcomes: Sequence[str]) -> list[Beat]:
    """Forty ticks, the latest on the right; outcomes are ok, bad or none, oldest first."""
    recent = list(outcomes)[-BEATS:]
    padded = ["none"] * (BEATS - len(recent)) + recent
    return [_beat(index, outcome) for index, outcome in enumerate(padded)]


def _beat(index: int, outcome: str) -> Beat:
    x = round(index * (BEAT_WIDTH + BEAT_GAP), 1)
    if outcome == "none":
        return Beat(x, BEAT_HEIGHT - 5, 5, "b-none")
    return Beat(x, 0, BEAT_HEIGHT, "b-bad" if outcome == "bad" else "b-ok")


def beats_width() -> float:
    """The width of forty ticks.

    Units: pixels.
    """
    return BEATS * (BEAT_WIDTH + BEAT_GAP) - BEAT_GAP


def stage_dots(done: int, *, failed: bool = False, stopped: bool = False) -> list[str]:
    """The class of each stage's dot when the first `done` stages are finished."""
    dots = ["done"] * done + [""] * (len(STAGES) - done)
    if done < len(STAGES) and not stopped:
        dots[done] = "fail" if failed else "now"
    return dots
