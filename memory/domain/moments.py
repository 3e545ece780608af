"""Points in time that a row can hold and a page can draw."""

from datetime import UTC, datetime

from memory.domain.errors import InvalidInput

EARLIEST = datetime(100, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def require_moment(value: datetime, *, field: str) -> datetime:
    """The same moment in UTC.

    Raises: InvalidInput without a time zone, or outside the years 100 to 9000.
    """
    if value.tzinfo is None:
        raise InvalidInput(
            f"{field} has no time zone. Write it as 2026-01-31T09:30:00+01:00.", field=field
        )
    moment = moment_or_none(value)
    if moment is None:
        raise InvalidInput(f"{field} is outside the years 100 to 9000.", field=field)
    return moment


def moment_or_none(value: datetime | None) -> datetime | None:
    """The same moment in UTC, or nothing where a row could not hold it."""
    if value is None:
        return None
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        return None
    return moment if EARLIEST <= moment <= LATEST else None


def require_order(valid_from: datetime | None, valid_until: datetime | None) -> None:
    """Refuse a time that ends before it begins.

    Raises: InvalidInput naming the end.
    """
    if valid_from and valid_until and valid_until < valid_from:
        raise InvalidInput("valid_until is before valid_from.", field="valid_until")
