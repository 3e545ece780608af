"""What each way of naming a day means, counted from the day on which it was said."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, TypeAlias

from memory.domain.perceptor import spans
from memory.domain.perceptor.spans import Span

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from datetime import datetime

    from memory.domain.perceptor.calendars import Calendar

_CENTURY = 2000
_TWO_DIGITS = 100
_LONGEST = 4_000  # more units than this are no date anybody means
_UNITS = {
    "week": spans.week_of,
    "weekend": spans.weekend_of,
    "month": spans.month_of,
    "quarter": spans.quarter_of,
    "year": spans.year_of,
}


@dataclass(frozen=True, slots=True)
class Reader:
    """One language's reading of a match.

    `direction` is 1 where the sentence looks ahead and -1 where it looks back; `is_past` says
    that its verb does so too.
    """

    calendar: "Calendar"
    now: "datetime"
    direction: int
    is_past: bool

    @property
    def today(self) -> date:
        """The day on which it was said, where it was said."""
        return self.now.date()

    def read(self, name: str, match: "re.Match[str]") -> Span | None:
        """The days that this way of naming them means here."""
        return _READINGS[name](self, _Words(match, self.calendar))


@dataclass(frozen=True, slots=True)
class _Words:
    """The named groups of a match, each as what its word stands for."""

    match: "re.Match[str]"
    calendar: "Calendar"

    def word(self, group: str) -> str | None:
        return self.match.groupdict().get(group)

    def number(self, group: str) -> int | None:
        word = self.word(group)
        return self.calendar.number(word) if word else None

    def count(self, group: str, table: str) -> int | None:
        word = self.word(group)
        return self.calendar.lookup(table, word) if word else None

    def label(self, group: str, table: str) -> str:
        word = self.word(group)
        return self.calendar.label(table, word) if word else ""

    def month(self) -> int | None:
        return self.count("month", "months") or self.number("month_number")

    def year(self, today: date) -> int | None:
        year, shift = self.number("year"), self.count("lead", "leads")
        if year is not None:
            return year + _CENTURY if year < _TWO_DIGITS else year
        return None if shift is None else today.year + shift


def _full_date(reader: Reader, words: _Words) -> Span | None:
    month, day, year = words.month(), words.number("day"), words.year(reader.today)
    if None in (month, day, year):
        return None
    return spans.one_day(spans.valid_day(year or 0, month or 0, day or 0))


def _day_of_month(reader: Reader, words: _Words) -> Span | None:
    month, day = words.month(), words.number("day")
    if words.year(reader.today) is not None:
        return _full_date(reader, words)
    years = (reader.today.year + shift for shift in (-1, 0, 1))
    days = [found for year in years if (found := spans.valid_day(year, month or 0, day or 0))]
    return spans.one_day(_nearest(days, reader))


def _relative(reader: Reader, words: _Words) -> Span | None:
    return spans.one_day(spans.shifted(reader.today, words.count("relative", "relative") or 0))


def _ahead(reader: Reader, words: _Words) -> Span | None:
    return _away(reader, words, 1)


def _ago(reader: Reader, words: _Words) -> Span | None:
    return _away(reader, words, -1)


def _away(reader: Reader, words: _Words, sign: int) -> Span | None:
    number = words.number("count")
    if number is None or not 0 <= number <= _LONGEST:
        return None
    return spans.one_day(_moved(reader, words.label("unit", "units"), sign * number))


def _moved(reader: Reader, unit: str, number: int) -> date | None:
    today = reader.today
    if unit in ("minute", "hour"):
        try:
            return (reader.now + timedelta(**{f"{unit}s": number})).date()
        except OverflowError:
            return None
    if unit == "month":
        return spans.months_later(today, number)
    if unit == "year":
        return spans.months_later(today, 12 * number)
    return spans.shifted(today, number * (7 if unit in ("week", "weekend") else 1))


def _weekday(reader: Reader, words: _Words) -> Span | None:
    weekday = words.count("weekday", "weekdays") or 0
    week = words.count("lead", "leads")
    side = words.label("side", "sides") or "near"
    if week is None and side.lstrip("-").isdecimal():
        week = int(side)
    if week is not None:
        span = spans.week_of(reader.today, week)
        return None if span is None else spans.one_day(spans.shifted(span.first, weekday))
    direction = {"ahead": 1, "behind": -1}.get(side, reader.direction)
    if not direction:
        return None
    step = spans.weekday_ahead if direction > 0 else spans.weekday_behind
    return spans.one_day(step(reader.today, weekday))


def _bare_day(reader: Reader, words: _Words) -> Span | None:
    day, shift = words.number("day") or 0, words.count("lead", "leads")
    wanted = _day_in(spans.month_of(reader.today, shift or 0), day)
    # A day that the month has not got is refused, not moved to the next month.
    if wanted is None or shift is not None:
        return spans.one_day(wanted)
    months = (spans.month_of(reader.today, each) for each in (-1, 0, 1))
    days = [found for month in months if (found := _day_in(month, day))]
    return spans.one_day(_nearest(days, reader))


def _day_in(month: Span | None, day: int) -> date | None:
    return None if month is None else spans.valid_day(month.first.year, month.first.month, day)


def _edge(reader: Reader, words: _Words) -> Span | None:
    month = words.month()
    span = _named_month(reader, words, month) if month else _period(reader, words)
    edge = words.label("edge", "edges")
    if span is None:
        return None
    if edge in ("start", "end"):
        return spans.one_day(span.first if edge == "start" else span.last)
    third = (span.last - span.first) // 3
    early, late = span.first + third, span.last - third
    if edge == "early":
        return Span(span.first, early)
    return Span(late, span.last) if edge == "late" else Span(early, late)


def _period(reader: Reader, words: _Words) -> Span | None:
    find = _UNITS.get(words.label("unit", "units"))
    return find(reader.today, words.count("lead", "leads") or 0) if find else None


def _month(reader: Reader, words: _Words) -> Span | None:
    month = words.month()
    return _named_month(reader, words, month) if month else None


def _named_month(reader: Reader, words: _Words, month: int) -> Span | None:
    today, year = reader.today, words.year(reader.today)
    if year is not None:
        return spans.whole_month(year, month)
    years = (today.year - 1, today.year, today.year + 1)
    months = [span for year in years if (span := spans.whole_month(year, month))]
    if reader.direction > 0:
        return next((span for span in months if span.last >= today), None)
    if reader.is_past:
        return next((span for span in reversed(months) if span.first <= today), None)
    return min(months, key=lambda span: abs((span.first - today).days), default=None)


def _year(reader: Reader, words: _Words) -> Span | None:
    year = words.number("year")
    first = spans.valid_day(year or 0, 1, 1)
    return None if first is None else spans.year_of(first)


def _nearest(days: list[date], reader: Reader) -> date | None:
    """Of a day in each of several years or months the coming, the last or the nearest one."""
    today = reader.today
    if reader.direction > 0:
        return min((day for day in days if day >= today), default=None)
    if reader.is_past:
        return max((day for day in days if day <= today), default=None)
    return min(days, key=lambda day: abs((day - today).days), default=None)


_Reading: TypeAlias = "Callable[[Reader, _Words], Span | None]"
_READINGS: "dict[str, _Reading]" = {
    "full_date": _full_date,
    "day_of_month": _day_of_month,
    "relative": _relative,
    "ahead": _ahead,
    "ago": _ago,
    "weekday": _weekday,
    "bare_day": _bare_day,
    "edge": _edge,
    "period": _period,
    "month": _month,
    "year": _year,
}
