"""Moments that every zone can show and every sum can reach, whatever a row holds."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone
from django.utils.dateparse import parse_datetime

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
