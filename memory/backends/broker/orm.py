"""Doorbells in a table of the database, where they commit with what they ring for."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone
from django_q.models import OrmQ

if TYPE_CHECKING:
    from django.db.models import QuerySet


class OrmBells:
    """The rows of django-q's own table."""

    def waiting(self, cluster: str) -> int:
        """How many nobody has heard yet."""
        return int(_untaken(cluster).count())

    def oldest_at(self, cluster: str) -> datetime | None:
        """When the first of those was rung."""
        oldest: datetime | None = _untaken(cluster).values_list("lock", flat=True).first()
        return oldest

    def rung(self, task: str, cluster: str) -> int:
        """How many of those are for this task."""
        return sum(row.func() == task for row in _untaken(cluster))

    def is_waiting(self, task: str, cluster: str) -> bool:
        """Whether one for this task waits or is under way: its row goes at the end."""
        return any(row.func() == task for row in OrmQ.objects.filter(key=cluster))

    def check(self) -> str:
        """The broker's name; the database has a check of its own."""
        return "In the database"


def _untaken(cluster: str) -> "QuerySet[OrmQ]":
    # The lock is the time from which a task may be handed out; one under way has a later one.
    rows = OrmQ.objects.filter(key=cluster, lock__lte=timezone.now())
    untaken: QuerySet[OrmQ] = rows.order_by("lock")
    return untaken
