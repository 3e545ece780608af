"""Doorbells in Redis, which may go away and come back at any time."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from time import monotonic, sleep
from typing import Any

import structlog
from django.conf import settings
from django_q.brokers import redis_broker
from django_q.signing import BadSignature, SignedPackage
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from memory.domain.errors import Retryable

CONNECT_SECONDS = 1.5
# Above the second for which a queue waits for its next task.
ANSWER_SECONDS = 2.5
DOWN_SECONDS = 1.0
# A page asks several times; only the first one waits for a Redis that gives no answer at all.
ASKED_AGAIN_SECONDS = 5.0
REMEDY = "Start Redis, or check LONGHAND_REDIS_URL."

log = structlog.get_logger(__name__)


@cache
def client(url: str) -> Redis:
    """The connections of this process; a forked child opens its own."""
    # Once more at once: the first command after a restart of Redis meets a dead connection.
    return _connected(url, tries=2, seconds=ANSWER_SECONDS)


def _connected(url: str, *, tries: int, seconds: float) -> Redis:
    return Redis.from_url(
        url,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=seconds,
        retry=Retry(NoBackoff(), tries - 1),
    )


class RedisBroker(redis_broker.Redis):  # type: ignore[misc]  # django-q has no types
    """django-q's broker, with time limits, and with patience in place of tracebacks."""

    is_silent = False

    @staticmethod
    def get_connection(list_key: str | None = None) -> Redis:
        """The connections that all queues share."""
        return client(settings.LONGHAND_REDIS_URL)

    def enqueue(self, task: str) -> Any:
        """Ring.

        Raises: Retryable when Redis does not answer.
        """
        with translated():
            return super().enqueue(task)

    def dequeue(self) -> Any:
        """The next task, or None when there is none, or no Redis to ask."""
        try:
            found = super().dequeue()
        except RedisError as error:
            self._note(str(error))
            sleep(DOWN_SECONDS)
            return None
        self._note("")
        return found

    def _note(self, reason: str) -> None:
        if self.is_silent != bool(reason):
            self.is_silent = bool(reason)
            log.warning("broker.silent" if reason else "broker.back", reason=reason)

    def ping(self) -> bool:
        """True: a queue starts without Redis too, and works once it is there."""
        return True

    def set_stat(self, key: str, value: str, timeout: int) -> None:
        """Nothing: the workers' beats say how they are."""


class RedisBells:
    """The lists that the queues take their tasks from, in order."""

    def waiting(self, cluster: str) -> int:
        """How many nobody has heard yet."""
        with translated():
            return int(_client().llen(_key(cluster)))

    def oldest_at(self, cluster: str) -> datetime | None:
        """When the first of those was rung."""
        tasks = _tasks(cluster, last=0)
        return tasks[0].get("started") if tasks else None

    def rung(self, task: str, cluster: str) -> int:
        """How many of those are for this task."""
        return sum(each.get("func") == task for each in _tasks(cluster, last=-1))

    def is_waiting(self, task: str, cluster: str) -> bool:
        """Whether one for this task waits; what is under way has left Redis."""
        return self.rung(task, cluster) > 0

    def check(self) -> str:
        """The broker's name, once Redis has answered."""
        url = str(settings.LONGHAND_REDIS_URL)
        # Somebody waits for this, so it is tried once, on a connection that cannot be stale.
        with translated(), _connected(url, tries=1, seconds=CONNECT_SECONDS) as redis:
            redis.ping()
        return "In Redis"


def _client() -> Redis:
    return client(settings.LONGHAND_REDIS_URL)


def _key(cluster: str) -> str:
    return f"django_q:{cluster}:q"


def _tasks(cluster: str, *, last: int) -> list[dict[str, Any]]:
    with translated():
        packages: Any = _client().lrange(_key(cluster), 0, last)
    return [_opened(each) for each in packages]


def _opened(package: bytes) -> dict[str, Any]:
    """The task, empty when another key has signed it: the queue that takes it says so."""
    try:
        task: dict[str, Any] = SignedPackage.loads(package)
    except (TypeError, BadSignature):
        return {}
    return task


class Silence:
    """What Redis last failed with, and until when nobody asks it again."""

    def __init__(self) -> None:
        self.reason = ""
        self.until = 0.0

    def begin(self, reason: str) -> Retryable:
        """Nobody asks for a while; the error to raise meanwhile."""
        self.reason, self.until = reason, monotonic() + ASKED_AGAIN_SECONDS
        return self.error()

    def error(self) -> Retryable:
        """What whoever would ask is told."""
        return Retryable(f"Redis does not answer: {self.reason}. {REMEDY}")


_silence = Silence()


@contextmanager
def translated() -> Iterator[None]:
    """Redis's own errors as ours.

    Raises: Retryable with the remedy.
    """
    if monotonic() < _silence.until:
        raise _silence.error()
    try:
        yield
    except RedisError as error:
        reason = str(error).rstrip(".") or type(error).__name__
        raise _silence.begin(reason) from error
