"""The lifeline of a memory: strength over time, as numbers and SVG paths. Pure, no Django."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.moments import later
from memory.domain.decay import ARCHIVE_BELOW, FADING_BELOW, age_at, strength

DAY = timedelta(days=1)
BACK, AHEAD = 60 * DAY, 30 * DAY
SIZES = {"s": (64, 18), "m": (118, 28), "example": (320, 72)}
LEFT, TOP = 3.0, 2.5

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What decides a memory's strength.

    `used_at` is oldest first; `fixed` says why it never fades; `ending` is archived or replaced.
    """

    decay_class: str
    born_at: datetime
    used_at: tuple[datetime, ...] = ()
    recalls: int = 0
    fixed: str = ""
    kept_until: datetime | None = None
    ending: str = ""
    ended_at: datetime | None = None

    def strength_at(self, moment: datetime) -> float:
        """Strength at this moment, 1.0 for a memory that does not fade."""
        if self.fixed:
            return 1.0
        return strength(self.decay_class, moment - self._fresh_at(moment))

    def low_at(self, now: datetime) -> datetime | None:
        """When strength reaches the level for archiving without further use; None if never."""
        age = age_at(self.decay_class, ARCHIVE_BELOW)
        if self.fixed or age is None:
            return None
        return later(max(self._fresh_at(now), self.kept_until or self.born_at), age)

    def _fresh_at(self, moment: datetime) -> datetime:
        past = [use for use in self.used_at if use <= moment]
        started = max([self.born_at, *past])
        return max(started, self.kept_until) if self.kept_until else started


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The paths of one small lifeline, and the sentence that says the same."""

    width: int
    height: int
    state: str
    floor: str
    fill: str
    past: str
    hold: str
    ahead: str
    end: str
    dot: Point | None
    strength: float
    label: str
    note: str


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a time and a strength lie in a drawing.

    Units: pixels.
    """

    width: float
    height: float
    now: datetime

    def x(self, moment: datetime) -> float:
        """The place of a moment; what is outside the window lies on its edge."""
        inside = min(max(moment - self.now, -BACK), AHEAD)
        return LEFT + (inside + BACK) / (BACK + AHEAD) * (self.width - 2 * LEFT)

    def y(self, level: float) -> float:
        """The place of a strength."""
        return TOP + (1 - level) * (self.height - 2 * TOP)

    def path(self, points: list[tuple[datetime, float]]) -> str:
        """An SVG path through these moments and strengths."""
        return polyline([(self.x(moment), self.y(level)) for moment, level in points])


def polyline(points: list[Point]) -> str:
    """An SVG path through these points; empty for none."""
    if not points:
        return ""
    return "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def samples(
    life: Life, start: datetime, end: datetime, *, step: timedelta
) -> list[tuple[datetime, float]]:
    """The curve from `start` to `end`, with both sides of each step that a use made."""
    if end < start:
        return []
    turns = {use for use in life.used_at if start < use <= end}
    if life.kept_until and start < life.kept_until < end:
        turns.add(life.kept_until)
    moments = [start + index * step for index in range(int((end - start) / step) + 1)]
    points = []
    for moment in sorted({*moments, *turns, end}):
        if moment in turns:
            points.append((moment, life.strength_at(moment - timedelta(microseconds=1))))
        points.append((moment, life.strength_at(moment)))
    return points


def draw(life: Life, now: datetime, size: str = "m") -> Drawing:
    """The lifeline in the window of 60 days back and 30 ahead."""
    width, height = SIZES[size]
    frame = Frame(width, height, now)
    until = min(life.ended_at or now, now)
    level = life.strength_at(until)
    past = samples(life, min(max(life.born_at, now - BACK), now), until, step=DAY)
    line = frame.path(past)
    return Drawing(
        width=width,
        height=height,
        state=_state(life, level),
        floor=f"M{LEFT} {frame.y(ARCHIVE_BELOW):.1f}H{width - LEFT}",
        fill=_filled(frame, past),
        past="" if life.fixed else line,
        hold=_hold(life, frame, line),
        ahead=frame.path(_ahead(life, now)),
        end=_end(life, frame, until, level),
        dot=None if life.ending else (round(frame.x(until), 1), round(frame.y(level), 1)),
        strength=level,
        label=describe(life, now),
        note=fading_note(life, now),
    )


def _state(life: Life, level: float) -> str:
    if life.ending:
        return "gone"
    return "fading" if level < FADING_BELOW else ""


def _filled(frame: Frame, past: list[tuple[datetime, float]]) -> str:
    if not past:
        return ""
    bottom = frame.y(ARCHIVE_BELOW)
    above = [(moment, max(level, ARCHIVE_BELOW)) for moment, level in past]
    left, right = frame.x(past[0][0]), frame.x(past[-1][0])
    return f"{frame.path(above)}V{bottom:.1f}H{left:.1f}Z" if right > left else ""


def _hold(life: Life, frame: Frame, line: str) -> str:
    if not life.fixed:
        return ""
    return line if life.ending else f"{line} L{frame.width - LEFT:.1f} {frame.y(1):.1f}"


def _ahead(life: Life, now: datetime) -> list[tuple[datetime, float]]:
    if life.fixed or life.ending:
        return []
    low = life.low_at(now)
    end = min(now + AHEAD, low) if low else now + AHEAD
    return samples(life, now, end, step=DAY)


def _end(life: Life, frame: Frame, until: datetime, level: float) -> str:
    if life.ending:
        x, y = frame.x(until), frame.y(level)
        cross = f"M{x - 2.5:.1f} {y - 2.5:.1f}l5 5M{x - 2.5:.1f} {y + 2.5:.1f}l5 -5"
        return cross if life.ending == "archived" else f"M{x:.1f} {y - 3.5:.1f}v7"
    if life.kept_until and until < life.kept_until <= frame.now + AHEAD:
        return f"M{frame.x(life.kept_until):.1f} 0v5"
    return ""


def describe(life: Life, now: datetime) -> str:
    """The lifeline in one sentence, for those who do not see it."""
    if life.ending:
        return life.ending.capitalize()
    return ", ".join([f"Strength {life.strength_at(now):.2f}", _prospect(life, now), _used(life)])


def _prospect(life: Life, now: datetime) -> str:
    if life.fixed:
        return "does not fade"
    if life.kept_until and life.kept_until > now:
        return f"kept until its date in {span(life.kept_until - now)}"
    low = life.low_at(now)
    if low is None:
        return "does not fade"
    return f"falls to 0.10 in {span(low - now)} unless recalled" if low > now else "below 0.10"


def _used(life: Life) -> str:
    times = {0: "not recalled yet", 1: "recalled once"}
    return times.get(life.recalls, f"recalled {life.recalls} times")


def fading_note(life: Life, now: datetime) -> str:
    """The warning beside a memory that is about to be lost; empty for all others."""
    if life.fixed or life.ending or life.strength_at(now) >= FADING_BELOW:
        return ""
    low = life.low_at(now)
    return f"fades in {span(low - now)}" if low and low > now else "faded"


def span(duration: timedelta) -> str:
    """A duration in its largest fitting unit, as "4 days" or "7 h"."""
    if duration >= 2 * DAY:
        return f"{duration.days} days"
    hours = duration / timedelta(hours=1)
    return f"{hours:.0f} h" if hours >= 1 else f"{max(hours * 60, 1):.0f} min"
