"""Counting what scopes hold, by sort of row and by day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import (
    Case,
    CharField,
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    Max,
    Value,
    When,
)
from django.db.models.functions import Concat

from memory.domain.fields import Status
from memory.models import Fact, Turn
from memory.models.counts import MEMORY, PASSAGES, TAG, TURNS

if TYPE_CHECKING:
    from django.db.models import QuerySet

DAYS = 30
TAGS_KEPT = 50
SORT = Case(
    When(document__isnull=False, then=Value(PASSAGES)),
    When(status=Status.ACTIVE, then=Concat(Value(MEMORY), F("kind"))),
    default=F("status"),
    output_field=CharField(),
)


@dataclass(slots=True)
class Tally:
    """How many rows of one sort there are, and how many came on each of the last 30 days.

    Shape: `daily` begins with the last 24 hours.
    """

    number: int = 0
    daily: list[int] = field(default_factory=lambda: [0] * DAYS)
    latest_at: datetime | None = None

    def add(self, number: int, daily: Sequence[int], latest_at: datetime | None) -> None:
        """Count these too."""
        self.number += number
        for day, more in enumerate(daily):
            self.daily[day] += more
        self.latest_at = max(filter(None, (self.latest_at, latest_at)), default=None)


Tallies = dict[tuple[UUID, str], Tally]


def tally(scopes: Sequence[UUID] | None, now: datetime) -> Tallies:
    """What these scopes hold now, by scope and sort; None for all that may be seen."""
    # Passages of an older version are kept, and are no part of what can be found.
    counted = Fact.objects.exclude(document__isnull=False, status=Status.SUPERSEDED)
    facts = _within(counted, scopes).annotate(what=SORT)
    turns = _within(Turn.objects.all(), scopes).annotate(what=Value(TURNS))
    found: Tallies = {}
    for rows in (facts, turns):
        dated = rows.annotate(day=_days_back(now)).values_list("scope_id", "what", "day")
        for scope_id, what, day, number, latest_at in _counted(dated):
            daily = [0] * day + [number] if day < DAYS else []
            found.setdefault((scope_id, what), Tally()).add(number, daily, latest_at)
    return found


def tally_tags(scopes: Sequence[UUID] | None) -> Tallies:
    """How often each tag is in use, the most used of each scope."""
    facts = _within(Fact.objects.all(), scopes).memories().active()
    each = facts.annotate(tag=Func(F("tags"), function="unnest")).values("scope_id", "tag")
    kept: dict[UUID, int] = {}
    found: Tallies = {}
    rows = each.annotate(number=Count("pk")).order_by("-number", "tag")
    for scope_id, tag, number in rows.values_list("scope_id", "tag", "number"):
        kept[scope_id] = kept.get(scope_id, 0) + 1
        if kept[scope_id] <= TAGS_KEPT:
            found[scope_id, TAG + tag] = Tally(number, [])
    return found


def by_sort(tallies: Iterable[tuple[str, Tally]]) -> dict[str, Tally]:
    """The tallies of several scopes taken together."""
    found: dict[str, Tally] = {}
    for what, each in tallies:
        found.setdefault(what, Tally()).add(each.number, each.daily, each.latest_at)
    return found


def _within(rows: Any, scopes: Sequence[UUID] | None) -> Any:
    return (rows if scopes is None else rows.filter(scope__in=scopes)).order_by()


def _counted(rows: "QuerySet[Any, Any]") -> "QuerySet[Any, Any]":
    counted: QuerySet[Any, Any] = rows.annotate(number=Count("pk"), latest=Max("recorded_at"))
    return counted


def _days_back(now: datetime) -> Func:
    """Whole days between a row's storing and now, no more than DAYS."""
    age = ExpressionWrapper(Value(now) - F("recorded_at"), output_field=DurationField())
    days = f"LEAST({DAYS}, GREATEST(0, FLOOR(EXTRACT(EPOCH FROM %(expressions)s) / 86400)))::int"
    return Func(age, template=days, output_field=IntegerField())
