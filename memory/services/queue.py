"""The doorbell: tells a worker that there is something to do. The row itself is the lease."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string
from django_q.tasks import async_task

from memory.domain.errors import Retryable

if TYPE_CHECKING:
    from memory.backends.broker.contract import Bells

QUICK, SLOW = "quick", "slow"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Queue:
    """One queue: what waits in it, and since when; None where the broker does not answer."""

    name: str
    waiting: int | None
    oldest_at: datetime | None


def enqueue(task: str, *ids: object, cluster: str = QUICK) -> None:
    """Ring for one task; inside a transaction the bell rings at its commit, or never.

    Side effects: one row in the broker's table, or one entry in Redis.
    """
    if not settings.LONGHAND_HAS_LASTING_KEY:
        return  # signed with a key that no worker knows; the upkeep finds the row by itself
    arguments = [str(each) for each in ids]
    if settings.LONGHAND_REDIS_URL:
        transaction.on_commit(partial(_ring, task, arguments, cluster))
    else:
        async_task(task, *arguments, cluster=cluster)


def _ring(task: str, arguments: Sequence[str], cluster: str) -> None:
    try:
        async_task(task, *arguments, cluster=cluster)
    except Retryable as error:
        # What it rings for is stored; the upkeep finds it there and rings again.
        log.warning("queue.bell_lost", task=task, reason=str(error))


def queues() -> list[Queue]:
    """Each queue as its broker has it."""
    return [_queue(name) for name in (QUICK, SLOW)]


def _queue(name: str) -> Queue:
    broker = broker_bells()
    try:
        return Queue(name, broker.waiting(name), broker.oldest_at(name))
    except Retryable:
        return Queue(name, None, None)  # the part `broker` says why


def waiting_tasks() -> int:
    """How many tasks no worker has taken yet, as far as the broker answers."""
    return sum(queue.waiting or 0 for queue in queues())


def bells(task: str, cluster: str) -> int:
    """How many times this task was rung for and no worker has heard it yet.

    Raises: Retryable when the broker does not answer.
    """
    return broker_bells().rung(task, cluster)


def is_waiting(task: str, cluster: str) -> bool:
    """Whether this task waits already, or is under way.

    Raises: Retryable when the broker does not answer.
    """
    return broker_bells().is_waiting(task, cluster)


def broker_bells() -> "Bells":
    """The bells of the broker that the settings choose."""
    chosen: Bells = import_string(settings.LONGHAND_BROKER)()
    return chosen
