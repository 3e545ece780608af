"""Stated dates, resolved against the moment of speaking; ambiguous ones stay words."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.domain.perceptor.language import Calendar, Language

_STAMP = re.compile(
    r"\s{0,4}\[(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?(?:Z| UTC)?\]:?\s{0,4}"
)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_DAY = r"(\d{1,2})(?:st|nd|rd|th|\.)?"
_WEEK_DAYS = 7


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
    """The start of the one day the sentence names, in the zone of `now`; None if it names none.

    A bare weekday is the coming one (direction 1), the last one (-1), or no day at all (0).
    """
    if now is None:
        return None
    for language in spoken:
        day = _named_day(lowered, now.date(), language.calendar)
        if day is None and direction:
            day = _week_day(lowered, now.date(), language.calendar, direction)
        if day is not None:
            return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)
    return None


def _named_day(lowered: str, today: date, calendar: "Calendar") -> date | None:
    return (
        _iso_day(lowered)
        or _month_day(lowered, today, calendar)
        or _relative_day(lowered, today, calendar)
    )


def _iso_day(lowered: str) -> date | None:
    match = _ISO.search(lowered)
    return _valid_day(int(match[1]), int(match[2]), int(match[3])) if match else None


def _month_day(lowered: str, today: date, calendar: "Calendar") -> date | None:
    names = "|".join(sorted(calendar.months, key=len, reverse=True))
    match = re.search(rf"\b{_DAY} (?:of )?({names})\b(?:,? (\d{{4}}))?", lowered)
    if match is not None:
        day, name, year = match[1], match[2], match[3]
    else:
        match = re.search(rf"\b({names}) {_DAY}\b(?:,? (\d{{4}}))?", lowered)
        if match is None:
            return None
        name, day, year = match[1], match[2], match[3]
    month = calendar.months[name]
    if year:
        return _valid_day(int(year), month, int(day))
    return _nearest_year(today, month, int(day))


def _nearest_year(today: date, month: int, day: int) -> date | None:
    """The coming one of that day and month, or the last one when it is under half a year ago."""
    years = (today.year - 1, today.year, today.year + 1)
    days = [found for year in years if (found := _valid_day(year, month, day))]
    return min(days, key=lambda found: abs((found - today).days), default=None)


def _relative_day(lowered: str, today: date, calendar: "Calendar") -> date | None:
    for word, shift in calendar.relative.items():
        if word in lowered and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lowered):
            return _shifted(today, shift)
    return None


def _week_day(lowered: str, today: date, calendar: "Calendar", direction: int) -> date | None:
    names = "|".join(sorted(calendar.weekdays, key=len, reverse=True))
    leads = "|".join(calendar.next_words)
    match = re.search(rf"\b(?:{leads}) ({names})\b", lowered)
    if match is None:
        return None
    ahead = (calendar.weekdays[match[1]] - today.weekday() - 1) % _WEEK_DAYS + 1
    return _shifted(today, ahead if direction > 0 else ahead - _WEEK_DAYS)


def _shifted(today: date, days: int) -> date | None:
    try:
        return today + timedelta(days=days)
    except OverflowError:
        return None


def _valid_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
