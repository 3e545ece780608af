"""The other small drawings: sparkline, heartbeats, stage dots and score bars, as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from dashboard.lifeline import polyline

BEATS = 40
BEAT_WIDTH, BEAT_GAP, BEAT_HEIGHT = 2.5, 1.0, 14
COLUMN_GAP = 0.4
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One bar of a chart by day."""

    x: float
    y: float
    width: float
    height: float
    middle: float


def beats(outcomes: Sequence[str]) -> list[Beat]:
    """Forty ticks, the latest on the right; outcomes are ok, bad or none, oldest first."""
    recent = list(outcomes)[-BEATS:]
    padded = ["none"] * (BEATS - len(recent)) + recent
    return [_beat(index, outcome) for index, outcome in enumerate(padded)]


def columns(values: Sequence[Decimal], width: int, height: int) -> list[Column]:
    """Bars from the floor up, scaled to the highest; what is not zero is at least a pixel high."""
    if not values:
        return []
    highest, step = max(values), width / len(values)
    tall = [float(value / highest) * height if highest else 0.0 for value in values]
    return [
        Column(
            x=round(index * step + step * COLUMN_GAP / 2, 1),
            y=round(height - max(size, 1.0 if value else 0.0), 1),
            width=round(step * (1 - COLUMN_GAP), 1),
            height=round(max(size, 1.0 if value else 0.0), 1),
            middle=round((index + 0.5) * step, 1),
        )
        for index, (value, size) in enumerate(zip(values, tall, strict=True))
    ]


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
