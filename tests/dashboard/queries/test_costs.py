"""What models cost, by the viewer's days and to the last digit."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from dashboard.queries.costs import costs_of
from memory.models import JobRun, Principal

NOW = datetime(2026, 11, 19, 9, 42, tzinfo=UTC)


def paid(user, usd, started_at=NOW):
    JobRun.objects.create(kind="extract", owner=user, cost_usd=usd, started_at=started_at)


def test_costs_are_absent_until_something_had_a_price(alice):
    JobRun.objects.create(kind="extract", owner=alice)

    assert costs_of(Principal(alice), NOW) is None


def test_costs_of_a_quiet_week_are_zero(alice):
    paid(alice, Decimal("0.5"), NOW - timedelta(days=20))

    costs = costs_of(Principal(alice), NOW)

    assert (costs.total_usd, costs.today_usd, len(costs.days)) == (0, 0, 7)


def test_costs_are_the_askers_own_and_those_for_everybody(alice, bob):
    paid(alice, Decimal("0.25"))
    paid(None, Decimal("0.5"))
    paid(bob, Decimal(9))

    assert costs_of(Principal(alice), NOW).total_usd == Decimal("0.75")


def test_sum_of_many_tiny_costs_is_exact(alice):
    call = Decimal(25) * Decimal("0.075") / 1_000_000
    JobRun.objects.bulk_create(
        JobRun(kind="extract", owner=alice, cost_usd=call, started_at=NOW) for _ in range(1_000)
    )
    paid(alice, Decimal(1_200_000) * Decimal("0.075") / 1_000_000)

    assert costs_of(Principal(alice), NOW).today_usd == Decimal("0.091875")


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/Los_Angeles"])
@pytest.mark.parametrize("day", [datetime(2026, 11, 18), datetime(2026, 11, 1)])  # noqa: DTZ001
def test_each_cost_counts_once_in_its_local_day(alice, zone, day):
    # The first of November 2026 has 25 hours in Los Angeles.
    with timezone.override(zone):
        late = timezone.make_aware(day.replace(hour=23, minute=30))
        early = timezone.make_aware(day.replace(hour=0, minute=30))
        morning = timezone.make_aware(day.replace(hour=5))
        before = timezone.make_aware(day.replace(hour=23, minute=30) - timedelta(days=1))
        for number, moment in enumerate((before, early, morning, late)):
            paid(alice, Decimal(10) ** -number, moment)

        costs = costs_of(Principal(alice), late + timedelta(minutes=20))

    by_day = {each.day: each.usd for each in costs.days}
    assert by_day[day.date()] == costs.today_usd == Decimal("0.111")
    assert by_day[day.date() - timedelta(days=1)] == 1
    assert costs.total_usd == sum(by_day.values()) == Decimal("1.111")
