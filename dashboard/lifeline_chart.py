"""The lifeline with axes, for a memory's own page. Pure, no Django."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from dashboard.lifeline import AHEAD, DAY, Life, polyline, samples
from dashboard.moments import later, within
from memory.domain.decay import ARCHIVE_BELOW, FADING_BELOW

STEPS = 120
SHORTEST = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Format:
    """The size of a chart and where its axes lie.

    Units: pixels.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


# The width of a letter at the size of the axes' words, and a little more.
LETTER = 6.5
WIDE = Format(760, 216, left=34, right=750, top=26, bottom=184)
NARROW = Format(340, 180, left=30, right=330, top=26, bottom=148)


@dataclass(frozen=True, slots=True)
class Text:
    """A word at a place of the chart."""

    x: float
    y: float
    anchor: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The paths and words of one large lifeline."""

    format: Format
    state: str
    grid: list[str]
    fill: str
    past: str
    hold: str
    ahead: str
    guide: str
    uses: list[str]
    end: str
    dot: tuple[float, float] | None
    words: list[Text]
    now: Text


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a life that a chart shows, and its places."""

    format: Format
    start: datetime
    end: datetime

    def x(self, moment: datetime) -> float:
        """The place of a moment."""
        share = (moment - self.start) / (self.end - self.start)
        place = self.format.left + share * (self.format.right - self.format.left)
        return round(min(max(place, self.format.left), self.format.right), 1)

    def y(self, level: float) -> float:
        """The place of a strength."""
        return round(self.format.top + (1 - level) * (self.format.bottom - self.format.top), 1)

    def path(self, points: list[tuple[datetime, float]]) -> str:
        """An SVG path through these moments and strengths."""
        return polyline([(self.x(moment), self.y(level)) for moment, level in points])


def chart(life: Life, now: datetime, zone: tzinfo, form: Format) -> Chart:
    """A memory's whole life, up to where it fades."""
    until = min(life.ended_at or now, now)
    window = _window(life, now, until, form)
    past = samples(life, window.start, until, step=_step(window))
    line = window.path(past)
    level = life.strength_at(until)
    dot = (window.x(until), window.y(level))
    return Chart(
        format=form,
        state=_state(life, level),
        grid=[f"M{form.left} {window.y(mark):.1f}H{form.right}" for mark in (1, 0.5, 0.1)],
        fill=f"{line} V{form.bottom} H{form.left}Z" if past else "",
        past="" if life.fixed else line,
        hold=f"{line} H{form.right}" if life.fixed else "",
        ahead=window.path(_ahead(life, now, window)),
        guide=f"M{dot[0]} {dot[1]}V{form.bottom + 6}",
        uses=[f"M{window.x(use)} {form.bottom + 8}v5" for use in life.used_at],
        end=_end(life, window, now),
        dot=None if life.ending else dot,
        words=_scale(window) + _dates(life, window, now, zone),
        now=Text(dot[0], dot[1] - 12, _anchor(dot[0], form), f"{level:.2f}"),
    )


def future_of(life: Life, now: datetime, zone: tzinfo) -> str:
    """What will become of a memory, in one or two sentences."""
    if life.ending:
        return "Its line ends where it was taken out of use."
    used = _uses_sentence(life)
    low = life.low_at(now)
    if life.fixed or low is None:
        return f"{used} It does not fade, because it is {life.fixed or life.decay_class}."
    if low <= now:
        return f"{used} It has fallen below 0.10; using it brings it back to the top."
    return f"{used} Unless it is used again it falls to 0.10 {_when(low, now, zone)}."


def _when(moment: datetime, now: datetime, zone: tzinfo) -> str:
    local = within(moment).astimezone(zone)
    if moment - now < DAY:
        return f"at {local:%H:%M}"
    return f"on {local.day} {local:%B}{_other_year(local, now)}"


def _other_year(local: datetime, now: datetime) -> str:
    """The year with a space before it; "" where it is the present one."""
    return "" if local.year == within(now).astimezone(local.tzinfo).year else f" {local.year}"


def _uses_sentence(life: Life) -> str:
    times = {0: "Not recalled yet.", 1: "Recalled once; the mark is the last use."}
    return times.get(life.recalls, f"Recalled {life.recalls} times; the mark is the last use.")


def _state(life: Life, level: float) -> str:
    if life.ending:
        return "gone"
    return "fading" if level < FADING_BELOW else ""


def _window(life: Life, now: datetime, until: datetime, form: Format) -> Window:
    low = None if life.ending else life.low_at(now)
    end = until if life.ending else max(low or now + AHEAD, now)
    start = min(life.born_at, until)
    # Air on the right, so that the mark where the memory fades does not touch the edge.
    air = max((end - start) / 12, start + SHORTEST - end)
    return Window(form, start, later(end, air))


def _step(window: Window) -> timedelta:
    return (window.end - window.start) / STEPS


def _ahead(life: Life, now: datetime, window: Window) -> list[tuple[datetime, float]]:
    if life.fixed or life.ending:
        return []
    return samples(life, now, life.low_at(now) or window.end, step=_step(window))


def _end(life: Life, window: Window, now: datetime) -> str:
    if life.ending:
        x, y = window.x(life.ended_at or now), window.y(life.strength_at(life.ended_at or now))
        cross = f"M{x - 4} {y - 4}l8 8M{x - 4} {y + 4}l8 -8"
        return cross if life.ending == "archived" else f"M{x} {y - 5}v10"
    low = life.low_at(now)
    if low is None or low < now:
        return ""
    return f"M{window.x(low)} {window.y(ARCHIVE_BELOW) - 4}v8"


def _scale(window: Window) -> list[Text]:
    left = window.format.left - 8
    marks = ((1.0, "1.0"), (0.5, "0.5"), (0.1, "0.1"))
    return [Text(left, window.y(level) + 4, "end", word) for level, word in marks]


def _dates(life: Life, window: Window, now: datetime, zone: tzinfo) -> list[Text]:
    form, bottom = window.format, window.format.height - 4
    until = min(life.ended_at or now, now)
    # The time of day says enough of what was lately.
    close = window.end - window.start < 3 * DAY and now - until < DAY
    last = _date(until, now, zone, close=close) if life.ending else "today"
    today = Text(window.x(until), bottom, _anchor(window.x(until), form), last)
    words = [today]
    born = Text(form.left, bottom, "start", _date(life.born_at, now, zone, close=close))
    if _are_apart(born, today):
        words.append(born)
    low = None if life.ending else life.low_at(until)
    if low:
        x = window.x(low)
        falls = Text(x, bottom, _anchor(x, form), _date(low, now, zone, close=close))
        if _are_apart(today, falls):
            words.append(falls)
    return words


def _are_apart(left: Text, right: Text) -> bool:
    """Whether two words on one line have room between them."""
    return _edges(left)[1] + LETTER <= _edges(right)[0]


def _edges(word: Text) -> tuple[float, float]:
    width = LETTER * len(word.text)
    left = word.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[word.anchor]
    return left, left + width


def _date(moment: datetime, today: datetime, zone: tzinfo, *, close: bool) -> str:
    local = within(moment).astimezone(zone)
    return f"{local:%H:%M}" if close else f"{local.day} {local:%b}{_other_year(local, today)}"


def _anchor(x: float, form: Format) -> str:
    if x - form.left < 24:
        return "start"
    return "end" if form.right - x < 24 else "middle"
