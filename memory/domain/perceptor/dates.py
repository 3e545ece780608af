"""Stated dates, resolved against the moment of speaking; ambiguous ones stay words."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from memory.domain.perceptor import spans
from memory.domain.perceptor.calendars import READINGS, Calendar
from memory.domain.perceptor.readings import Reader
from memory.domain.perceptor.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.domain.perceptor.language import Language

_STAMP = re.compile(
    r"\s{0,4}\[(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?(?:Z| UTC)?\]:?\s{0,4}"
)
_YEAR_FIRST = re.compile(r"(?<![\d./-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-]|\.\d)")
_YEAR_LAST = re.compile(r"(?<![\d./-])(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])")
_MONTHS = 12
_CENTURY = 2000
_LONG_YEAR = 4
_CLOCK_NEEDS_PART_UNDER = 7
_DAY_MINUTES = 24 * 60
_MOST = 8  # dates that one way of naming them may give; a sentence with more names no day


@dataclass(frozen=True, slots=True)
class _Found:
    span: Span | None
    start: int
    end: int
    rank: int


def leading_stamp(text: str, observed_at: datetime | None) -> tuple[datetime | None, int]:
    """The date a message opens with, as `[2026-01-15]`, and where the words begin."""
    match = _STAMP.match(text)
    if match is None:
        return None, 0
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    zone = observed_at.tzinfo if observed_at and observed_at.tzinfo else UTC
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=zone), match.end()
    except ValueError:
        return None, 0


def stated_day(
    lowered: str, now: datetime | None, spoken: "Sequence[Language]", *, direction: int
) -> datetime | None:
    """The start of the day or stretch of days the sentence names, in the zone of `now`, or None.

    A bare weekday is the coming one (direction 1), the last one (-1), or no day at all (0).
    """
    span = _stated_span(lowered, now, spoken, direction) if now else None
    return _midnight(span.first, now) if span and now else None


def stated_period(
    lowered: str, now: datetime | None, spoken: "Sequence[Language]", *, direction: int
) -> tuple[datetime, datetime] | None:
    """Start and exclusive end of the day, week, month or year that the sentence names, or None."""
    span = _stated_span(lowered, now, spoken, direction) if now else None
    if span is None or now is None:
        return None
    after = spans.shifted(span.last, 1)
    return None if after is None else (_midnight(span.first, now), _midnight(after, now))


def stated_end(lowered: str, now: datetime | None, spoken: "Sequence[Language]") -> datetime | None:
    """The first moment at which what is said no longer holds, where it says until when it does."""
    words = _after(lowered, spoken, "until")
    period = stated_period(words, now, spoken, direction=1) if words else None
    if words is None or period is None:
        return None
    start, end = period
    clock = stated_clock(words, spoken)
    is_one_day = end - start <= timedelta(days=1)
    return datetime.combine(start, clock, start.tzinfo) if clock and is_one_day else end


def stated_start(
    lowered: str, now: datetime | None, spoken: "Sequence[Language]"
) -> datetime | None:
    """The day from which what is said holds, where it says so."""
    for name, direction in (("starting", 1), ("since", -1)):
        words = _after(lowered, spoken, name)
        day = stated_day(words, now, spoken, direction=direction) if words else None
        if day is not None:
            return day
    return None


def stated_clock(lowered: str, spoken: "Sequence[Language]") -> time | None:
    """The time of day that the sentence names; an hour that may be morning or evening is none."""
    for language in spoken:
        for pattern in language.calendar.patterns["clock"]:
            match = pattern.search(lowered)
            clock = _clock(match, language.calendar) if match else None
            if clock is not None:
                return clock
    return None


def names_time(lowered: str, spoken: "Sequence[Language]") -> bool:
    """Whether the sentence names some day or time, be it one that can be resolved or not."""
    if _YEAR_FIRST.search(lowered) or _YEAR_LAST.search(lowered):
        return True
    return any(
        pattern.search(lowered)
        for language in spoken
        for name in (*READINGS, "clock", "recurring")
        for pattern in language.calendar.patterns[name]
    )


def is_recurring(lowered: str, spoken: "Sequence[Language]") -> bool:
    """Whether the sentence is about something that comes again and again."""
    return any(
        pattern.search(lowered)
        for language in spoken
        for pattern in language.calendar.patterns["recurring"]
    )


def _stated_span(
    lowered: str, now: datetime, spoken: "Sequence[Language]", direction: int
) -> Span | None:
    if is_recurring(lowered, spoken) or not any(map(str.isalnum, lowered)):
        return None
    lowered = _without_denied(lowered, spoken)
    written, is_ambiguous = _written_date(lowered)
    if written or is_ambiguous:
        return written
    for language in spoken:
        is_past = direction < 0 and any(
            pattern.search(lowered) for pattern in language.calendar.patterns["past"]
        )
        reader = Reader(language.calendar, now, direction, is_past)
        found = _outer(list(_found(lowered, reader)))
        if found:
            return _best(found, now.date(), direction)
    return None


def _without_denied(lowered: str, spoken: "Sequence[Language]") -> str:
    """The text without what it takes back: of “not Tuesday but Thursday” only one is meant."""
    for language in spoken:
        for pattern in language.calendar.patterns["denied"]:
            lowered = pattern.sub(lambda found: " " * len(found[0]), lowered)
    return lowered


def _written_date(lowered: str) -> tuple[Span | None, bool]:
    """A date in digits alone, and whether one is there that can be read in two ways."""
    match = _YEAR_FIRST.search(lowered)
    if match is not None:
        return spans.one_day(spans.valid_day(int(match[1]), int(match[3]), int(match[4]))), True
    match = _YEAR_LAST.search(lowered)
    if match is None:
        return None, False
    one, other, year = int(match[1]), int(match[3]), int(match[4])
    if len(match[4]) < _LONG_YEAR:
        year += _CENTURY
    if one == other or other > _MONTHS:
        return spans.one_day(spans.valid_day(year, one, other)), True
    # Which of the two is the month cannot be told, so no date is made of them.
    return spans.one_day(spans.valid_day(year, other, one)) if one > _MONTHS else None, True


def _found(lowered: str, reader: Reader) -> "Iterator[_Found]":
    for rank, name in enumerate(READINGS):
        for pattern in reader.calendar.patterns[name]:
            for match in islice(pattern.finditer(lowered), _MOST):
                yield _Found(reader.read(name, match), match.start(), match.end(), rank)


def _outer(found: list[_Found]) -> list[_Found]:
    """Those that lie in no weightier one; a date that does not exist still bars what is in it."""
    kept: list[_Found] = []
    for each in found:
        if not any(each.start < other.end and other.start < each.end for other in kept):
            kept.append(each)
    return kept


def _best(found: list[_Found], today: date, direction: int) -> Span | None:
    real = [each for each in found if each.span is not None]
    fitting = [each for each in real if each.span and _fits(each.span, today, direction)]
    first = min(fitting or real, key=lambda each: (each.rank, each.start), default=None)
    return first.span if first else None


def _fits(span: Span, today: date, direction: int) -> bool:
    if direction > 0:
        return span.last >= today
    return direction == 0 or span.first <= today


def _after(lowered: str, spoken: "Sequence[Language]", name: str) -> str | None:
    for language in spoken:
        for pattern in language.calendar.patterns[name]:
            match = pattern.search(lowered)
            if match is not None:
                return match["when"]
    return None


def _clock(match: re.Match[str], calendar: Calendar) -> time | None:
    words = match.groupdict()
    if words.get("named"):
        return _time_of(calendar.lookup("clocks", words["named"]))
    hour = calendar.number(words.get("hour") or "")
    minute = calendar.number(words.get("minute") or "0")
    if hour is None or minute is None:
        return None
    part = words.get("part")
    if part:
        added = calendar.lookup("parts", part)
        hour = hour % _MONTHS + added if hour <= _MONTHS else hour
    elif hour < _CLOCK_NEEDS_PART_UNDER and not words.get("minute"):
        return None
    half = calendar.lookup("clocks", words["half"]) if words.get("half") else 0
    return _time_of(hour * 60 + minute + half)


def _time_of(minutes: int) -> time | None:
    return time(minutes // 60, minutes % 60) if 0 <= minutes < _DAY_MINUTES else None


def _midnight(day: date, now: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)
