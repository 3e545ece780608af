"""Moments that every zone can show and every sum can reach, whatever a row holds."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from dashboard.numbers import ABSENT

# Two days inside what Python can hold: no zone is further from UTC than one.
FIRST = datetime.min.replace(tzinfo=UTC) + timedelta(days=2)
LAST = datetime.max.replace(tzinfo=UTC) - timedelta(days=2)


def within(moment: datetime) -> datetime:
    """The moment, or the nearest one that every zone can show."""
    return min(max(moment, FIRST), LAST)


def later(moment: datetime, by: timedelta) -> datetime:
    """So much later, or the last moment there is."""
    start = within(moment)
    return LAST if by > LAST - start else start + by


def moment_in(given: str | None) -> datetime | None:
    """The moment that a parameter names with its zone; None for anything else."""
    try:
        moment = parse_datetime(given or "")
    except ValueError:
        return None
    return moment if moment and timezone.is_aware(moment) else None


def day(moment: datetime | None) -> str:
    """A date in words, as "9 October 2026"."""
    if moment is None:
        return ABSENT
    local = timezone.localtime(within(moment))
    return f"{local.day} {local:%B %Y}"


def day_time(moment: datetime | None) -> str:
    """A date and time in words, as "9 October 2026, 09:14"."""
    if moment is None:
        return ABSENT
    return f"{day(moment)}, {timezone.localtime(within(moment)):%H:%M}"


def day_or_time(moment: datetime) -> str:
    """A date in words, with the time unless it is midnight."""
    local = timezone.localtime(within(moment))
    return day_time(moment) if (local.hour or local.minute) else day(moment)
