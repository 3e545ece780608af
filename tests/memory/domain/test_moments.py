"""A moment is one that a row can hold: with a zone, and far from both ends of the calendar."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory.domain.errors import InvalidInput
from memory.domain.moments import EARLIEST, LATEST, moment_or_none, require_moment

FAR_EAST = timezone(timedelta(hours=23, minutes=59))
FAR_WEST = timezone(-timedelta(hours=23, minutes=59))
INSTANT = timedelta(microseconds=1)
OUT_OF_BOUNDS = [
    EARLIEST - INSTANT,
    LATEST + INSTANT,
    datetime.min.replace(tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    datetime.min.replace(tzinfo=FAR_EAST),
    datetime.max.replace(tzinfo=FAR_WEST),
    datetime(1, 1, 1, tzinfo=FAR_WEST),
    datetime(9999, 12, 31, 23, 59, tzinfo=FAR_EAST),
]


@pytest.mark.parametrize("value", [EARLIEST, LATEST, datetime(2026, 3, 1, tzinfo=UTC)], ids=str)
def test_moment_within_the_bounds_stays_as_it_is(value):
    assert require_moment(value, field="at") == moment_or_none(value) == value


@pytest.mark.parametrize(
    ("zone", "hour", "minute"), [(FAR_EAST, 0, 1), (FAR_WEST, 23, 59)], ids=str
)
def test_moment_is_given_in_utc_whatever_its_zone(zone, hour, minute):
    midnight = datetime(2026, 3, 2, tzinfo=zone)

    moment = require_moment(midnight, field="at")

    assert moment == midnight
    assert (moment.tzinfo, moment.hour, moment.minute) == (UTC, hour, minute)


@pytest.mark.parametrize("value", OUT_OF_BOUNDS, ids=str)
def test_moment_out_of_bounds_is_refused_with_its_field(value):
    with pytest.raises(InvalidInput, match="at is outside the years 100 to 9000") as refusal:
        require_moment(value, field="at")

    assert refusal.value.field == "at"


@pytest.mark.parametrize("value", [None, *OUT_OF_BOUNDS], ids=str)
def test_moment_that_no_row_could_hold_is_none(value):
    assert moment_or_none(value) is None


def test_moment_without_a_zone_is_refused_with_its_field():
    with pytest.raises(InvalidInput, match="has no time zone") as refusal:
        require_moment(datetime(2026, 3, 1), field="valid_from")  # noqa: DTZ001 - what is refused

    assert refusal.value.field == "valid_from"
