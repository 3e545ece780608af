"""Moments at the edge of what Python can hold."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from dashboard.moments import FIRST, LAST, later, within

NEVER = datetime.max.replace(tzinfo=UTC)
DAWN = datetime.min.replace(tzinfo=UTC)
NOW = datetime(2026, 11, 19, 10, 42, tzinfo=UTC)


@pytest.mark.parametrize("moment", [NEVER, DAWN])
@pytest.mark.parametrize("hours", [-14, 14])
def test_within_can_be_shown_in_every_zone(moment: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))

    assert abs(within(moment).astimezone(zone) - moment) <= timedelta(days=2)


def test_within_leaves_all_other_moments_alone() -> None:
    assert within(NOW) == NOW


@pytest.mark.parametrize(
    ("moment", "by", "reached"),
    [
        (NOW, timedelta(days=3), NOW + timedelta(days=3)),
        (NEVER, timedelta(days=300), LAST),
        (NOW, timedelta.max, LAST),
        (DAWN, timedelta(), FIRST),
    ],
)
def test_later_stops_at_the_last_moment(moment: datetime, by: timedelta, reached: datetime) -> None:
    assert later(moment, by) == reached
