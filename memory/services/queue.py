"""The doorbell: tells a worker that there is something to do. The row itself is the lease."""

from typing import TYPE_CHECKING

from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

if TYPE_CHECKING:
    from django.db.models import QuerySet

QUICK, SLOW = "quick", "slow"


def enqueue(task: str, *ids: object, cluster: str = QUICK) -> None:
    """Ring for one task; inside a transaction the bell rings at its commit, or never.

    Side effects: one row in the broker's table.
    """
    async_task(task, *[str(each) for each in ids], cluster=cluster)


def waiting_tasks() -> int:
    """How many tasks no worker has taken yet."""
    return int(_untaken().count())


def bells(task: str, cluster: str) -> int:
    """How many times this task was rung for and no worker has heard it yet."""
    return sum(row.func() == task for row in _untaken().filter(key=cluster))


def is_waiting(task: str, cluster: str) -> bool:
    """Whether this task waits already, or is under way."""
    return any(row.func() == task for row in OrmQ.objects.filter(key=cluster))


def _untaken() -> "QuerySet[OrmQ]":
    # The lock is the time from which a task may be handed out; one under way has a later one.
    untaken: QuerySet[OrmQ] = OrmQ.objects.filter(lock__lte=timezone.now())
    return untaken
