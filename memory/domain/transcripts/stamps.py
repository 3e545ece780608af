"""The times that stand beside turns, in the forms that chats and people write."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING

from memory.domain.moments import EARLIEST, LATEST, moment_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What may stand in a stamp; whether it is one is asked of `stamp_of`.
STAMP = r"\d[\d:./,+\-TZUCapmAPM\s]{2,40}"
_DATE = (
    r"(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})[-/.](?P<second>\d{1,2})[-/.](?P<years>\d{4}|\d{2}))"
)
_TIME = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2})(?:[.,]\d{1,9})?)?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?(?:\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2}))?"
)
# A date and time, or a time alone, where no bracket says that it is one.
UNBOXED_STAMP = re.sub(r"\?P<\w+>", "?:", rf"(?:{_DATE}(?:,\s?|\s|T))?{_TIME}")
_FORM = re.compile(rf"(?:{_DATE}(?:,\s?|\s|T|$))?(?:{_TIME})?")
_NOON = time(12)
_MONTHS = 12
_CENTURY = 2000


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time as it is written: the numbers of a date in their order, and the time of the day."""

    numbers: tuple[int, int, int] | None
    is_year_first: bool
    clock: time | None
    zone: tzinfo | None
    is_half_day: bool = False


def stamp_of(text: str) -> Stamp | None:
    """The time that a text is, or None if it is none."""
    match = _FORM.fullmatch(text.strip())
    if match is None or not match.group():
        return None
    try:
        clock = _clock(match)
        zone, is_half_day = _zone(match["zone"]), bool(match["half"])
        stamp = Stamp(_numbers(match), bool(match["year"]), clock, zone, is_half_day)
        if stamp.numbers and not any(_dates(stamp)):
            return None
    except ValueError:
        return None
    return stamp


def moments_of(
    stamps: "Sequence[Stamp | None]", *, zone: tzinfo, today: date
) -> "list[datetime | None]":
    """The moment of each stamp; what has none is of the moment before it.

    A time without a date is of the date before it, of today at the end, and a clock that jumps back
    has passed midnight.
    """
    is_day_first = _is_day_first(stamp for stamp in stamps if stamp)
    days = _days(stamps, is_day_first=is_day_first, today=today)
    found: list[datetime | None] = []
    for stamp, day in zip(stamps, days, strict=True):
        moment = None
        if stamp is not None:
            written = datetime.combine(day, stamp.clock or _NOON, stamp.zone or zone)
            moment = moment_or_none(written)
        found.append(moment or (found[-1] if found else None))
    return found


def _numbers(match: "re.Match[str]") -> tuple[int, int, int] | None:
    if match["year"]:
        return int(match["year"]), int(match["month"]), int(match["day"])
    if match["first"]:
        return int(match["first"]), int(match["second"]), int(match["years"])
    return None


def _clock(match: "re.Match[str]") -> time | None:
    if not match["hour"]:
        return None
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half and not 1 <= hour <= _MONTHS:
        raise ValueError("no hour of a half day")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, int(match["minute"]), int(match["seconds"] or 0))


def _zone(written: str | None) -> tzinfo | None:
    if not written:
        return None
    if written in {"Z", "UTC"}:
        return UTC
    hours, minutes = int(written[1:3]), int(written[-2:])
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if written[0] == "-" else offset)


def _dates(stamp: Stamp) -> "tuple[date | None, date | None]":
    """The date with the day first, and with the month first."""
    if stamp.numbers is None:
        return None, None
    if stamp.is_year_first:
        year, month, day = stamp.numbers
        return _date(year, month, day), _date(year, month, day)
    first, second, year = stamp.numbers
    year = year + _CENTURY if year < 100 else year
    return _date(year, second, first), _date(year, first, second)


def _date(year: int, month: int, day: int) -> date | None:
    if not EARLIEST.year <= year < LATEST.year:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _is_day_first(stamps: "Iterable[Stamp]") -> bool:
    """Whether 3/4 is in April: one date that can only be read one way decides for all."""
    dated = [stamp for stamp in stamps if stamp.numbers and not stamp.is_year_first]
    if any(_dates(stamp)[0] is None for stamp in dated):
        return False
    if any(_dates(stamp)[1] is None for stamp in dated):
        return True
    # Where clocks have two halves, the month mostly stands first.
    return not any(stamp.is_half_day for stamp in dated)


def _days(stamps: "Sequence[Stamp | None]", *, is_day_first: bool, today: date) -> list[date]:
    current, before = today, None
    dated: list[int] = []
    days: list[date] = []
    for place, stamp in enumerate(stamps):
        if stamp and stamp.numbers:
            day_first, month_first = _dates(stamp)
            wanted = (day_first, month_first) if is_day_first else (month_first, day_first)
            current = wanted[0] or wanted[1] or current
            dated.append(place)
        elif stamp and stamp.clock and before and stamp.clock < before:
            current += timedelta(days=1)
        before = stamp.clock if stamp else before
        days.append(current)
    if dated:
        # What stands before the first date is of that date.
        return [days[dated[0]]] * dated[0] + days[dated[0] :]
    return [today - (current - day) for day in days]
