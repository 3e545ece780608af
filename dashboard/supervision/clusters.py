"""The `worker` command's loop: two queues, and the upkeep that no queue may hold up."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import structlog
from django.conf import settings
from django.db import Error, connections

from dashboard.supervision.children import Child
from memory.db.guarded import Command, Guarded
from memory.domain.errors import Permanent, Retryable
from memory.services.workers import heartbeat, start_up, tick

QUEUES = ("quick", "slow")
GRACE_SECONDS = 4.5
BEATS_PER_UPKEEP = 3
POLL_SECONDS = 0.2

logger = structlog.get_logger(__name__)


def queue_children() -> list[Child]:
    """One part per queue, not started yet."""
    return [Child(queue, partial(_start_queue, queue)) for queue in QUEUES]


def _start_queue(queue: str) -> Guarded:
    manage = Path(settings.BASE_DIR, "manage.py")
    return Guarded(
        Command(
            arguments=[sys.executable, str(manage), "qcluster"],
            grace_seconds=GRACE_SECONDS,
            environment={**os.environ, "Q_CLUSTER_NAME": queue},
        )
    )


class Upkeep:
    """The beat and the upkeep, each at its own pace; a failure waits for the next turn."""

    def __init__(self, worker: str, every_seconds: float) -> None:
        self.worker = worker
        self._every_seconds = every_seconds
        self._next_beat = self._next_tick = 0.0
        self._is_set_up = False

    def run_what_is_due(self) -> None:
        """Write the beat and do the upkeep if their time has come."""
        now = time.monotonic()
        if now < self._next_beat:
            return
        self._next_beat = now + self._every_seconds / BEATS_PER_UPKEEP
        self._try("beat", self._beat)
        if now >= self._next_tick:
            self._next_tick = now + self._every_seconds
            self._try("upkeep", self._upkeep)

    def _beat(self) -> None:
        heartbeat(name=self.worker, pid=os.getpid())

    def _upkeep(self) -> None:
        if not self._is_set_up:
            start_up()
            self._is_set_up = True
        tick()

    def _try(self, what: str, work: Callable[[], None]) -> None:
        try:
            work()
        except (Error, OSError, Retryable, Permanent) as error:
            logger.warning("worker.upkeep_failed", what=what, reason=str(error).strip())
        finally:
            connections.close_all()


def work(children: Sequence[Child], upkeep: Upkeep) -> NoReturn:
    """Keep the queues running and the upkeep done.

    Raises: StopRequested when somebody asks for the end.
    """
    for child in children:
        child.start()
    while True:
        for child in children:
            child.keep_running()
        upkeep.run_what_is_due()
        time.sleep(POLL_SECONDS)
