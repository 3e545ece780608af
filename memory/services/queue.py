"""The doorbell: tells a worker that there is something to do. The row itself is the lease."""

from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

QUICK, SLOW = "quick", "slow"


def enqueue(task: str, *ids: object, cluster: str = QUICK) -> None:
    """Ring for one task; inside a transaction the bell rings at its commit, or never.

    Side effects: one row in the broker's table.
    """
    async_task(task, *[str(each) for each in ids], cluster=cluster)


def waiting_tasks(cluster: str | None = None) -> int:
    """How many tasks no worker has taken yet, of one cluster or of all."""
    # The lock is the time from which a task may be handed out; one under way has a later one.
    waiting = OrmQ.objects.filter(lock__lte=timezone.now())
    return int((waiting.filter(key=cluster) if cluster else waiting).count())


def is_waiting(task: str, cluster: str) -> bool:
    """Whether this task waits already, or is under way."""
    return any(row.func() == task for row in OrmQ.objects.filter(key=cluster))
