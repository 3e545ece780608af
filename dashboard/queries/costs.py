"""What language models have cost, by day as the viewer's calendar has them."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from django.db.models import Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from memory.models import JobRun, Principal

DAYS = 7
ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class DayCost:
    """What one day cost."""

    day: date
    usd: Decimal


@dataclass(frozen=True, slots=True)
class Costs:
    """The last seven days, the oldest first; None when nothing was ever paid for."""

    days: list[DayCost]

    @property
    def total_usd(self) -> Decimal:
        """The sum of the days, to the last digit."""
        return sum((each.usd for each in self.days), ZERO)

    @property
    def today_usd(self) -> Decimal:
        """What today cost so far."""
        return self.days[-1].usd

    @property
    def highest_usd(self) -> Decimal:
        """The dearest day."""
        return max(each.usd for each in self.days)


def costs_of(principal: Principal, now: datetime) -> Costs | None:
    """What the principal's jobs and those for everybody cost; None when none ever had a price."""
    paid = JobRun.objects.visible_to(principal).paid()
    today = timezone.localdate(now)
    first = today - timedelta(days=DAYS - 1)
    since = timezone.make_aware(datetime.combine(first, time.min))
    by_day = paid.filter(started_at__gte=since).order_by().annotate(day=TruncDate("started_at"))
    usd: dict[date, Decimal] = dict(by_day.values_list("day").annotate(Sum("cost_usd")))
    if not usd and not paid.exists():
        return None
    days = [first + timedelta(days=number) for number in range(DAYS)]
    return Costs([DayCost(day, usd.get(day, ZERO)) for day in days])
