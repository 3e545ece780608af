"""Stretches of days and the steps between them; a day that does not exist is no other day."""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

_WEEK_DAYS = 7
_MONTHS = 12
_SATURDAY = 5
_QUARTER = 3


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to `last`, both included."""

    first: date
    last: date


def one_day(day: date | None) -> Span | None:
    """The span of this day alone."""
    return Span(day, day) if day is not None else None


def valid_day(year: int, month: int, day: int) -> date | None:
    """That day, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def shifted(day: date, days: int) -> date | None:
    """The day so many days later, or earlier."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def months_later(day: date, months: int) -> date | None:
    """The same day of a later or earlier month, or that month's last where it is shorter."""
    span = month_of(day, months)
    return None if span is None else span.first.replace(day=min(day.day, span.last.day))


def month_of(day: date, shift: int = 0) -> Span | None:
    """The month that the day lies in, or one so many months away."""
    index = day.year * _MONTHS + day.month - 1 + shift
    return whole_month(index // _MONTHS, index % _MONTHS + 1)


def whole_month(year: int, month: int) -> Span | None:
    """All days of a month."""
    first = valid_day(year, month, 1)
    if first is None:
        return None
    return Span(first, first.replace(day=calendar.monthrange(year, month)[1]))


def year_of(day: date, shift: int = 0) -> Span | None:
    """The year that the day lies in, or one so many years away."""
    first = valid_day(day.year + shift, 1, 1)
    return None if first is None else Span(first, first.replace(month=_MONTHS, day=31))


def week_of(day: date, shift: int = 0) -> Span | None:
    """The week, Monday to Sunday, that the day lies in, or one so many weeks away."""
    return _days_from(shifted(day, shift * _WEEK_DAYS - day.weekday()), _WEEK_DAYS)


def weekend_of(day: date, shift: int = 0) -> Span | None:
    """The Saturday and Sunday of a week."""
    return _days_from(shifted(day, shift * _WEEK_DAYS - day.weekday() + _SATURDAY), 2)


def quarter_of(day: date, shift: int = 0) -> Span | None:
    """The three months of a quarter."""
    start = month_of(day, shift * _QUARTER - (day.month - 1) % _QUARTER)
    end = start and month_of(start.first, _QUARTER - 1)
    return Span(start.first, end.last) if start and end else None


def weekday_ahead(day: date, weekday: int) -> date | None:
    """The coming day of that name, never the day itself."""
    return shifted(day, (weekday - day.weekday() - 1) % _WEEK_DAYS + 1)


def weekday_behind(day: date, weekday: int) -> date | None:
    """The last day of that name, never the day itself."""
    return shifted(day, -((day.weekday() - weekday - 1) % _WEEK_DAYS + 1))


def _days_from(first: date | None, days: int) -> Span | None:
    last = first and shifted(first, days - 1)
    return Span(first, last) if first and last else None
