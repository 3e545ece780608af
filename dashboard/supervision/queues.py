"""A queue that ends when one of its processes took the queue's own locks into its grave."""

import os
from multiprocessing import Process

import structlog
from django_q import cluster
from django_q.conf import Conf
from django_q.scheduler import scheduler

from dashboard.supervision.warming import load_rules
from ingest.domain.languages import load_languages
from memory.services.queue import QUICK, SLOW

EXIT_CODE = 1
IDLE = -1.0
NICENESS = 5

logger = structlog.get_logger(__name__)


class Sentinel(cluster.Sentinel):  # type: ignore[misc]  # django-q has no types
    """Watches one queue's processes.

    An idle process waits for its next task with the lock of the pipe in its hand, so that after a
    SIGKILL no successor would ever get a task. A fresh start of the whole queue is the only cure.
    """

    def spawn_cluster(self) -> None:
        """Start the processes; each queue's share what they would all have to load."""
        # By its name here: a broker may call it otherwise.
        if Conf.CLUSTER_NAME == SLOW:
            # People wait for pages, and nobody waits for a document's next passage.
            os.nice(NICENESS)
            load_languages()
        if Conf.CLUSTER_NAME == QUICK:
            load_rules()
        super().spawn_cluster()

    def guard(self) -> None:
        """Watch until the end; what the clock is waiting for already starts at once."""
        scheduler(broker=self.broker)
        super().guard()

    def reincarnate(self, process: Process) -> None:
        """Replace a process that has ended, or end the queue, which is then started anew."""
        if was_killed(process) and self._held_a_lock(process):
            logger.error("queue.killed", process=process.pid, status=process.exitcode)
            # At once and without clean-up, which would wait for the lost lock; the guard of this
            # queue ends what is left of it.
            os._exit(EXIT_CODE)
        super().reincarnate(process)

    def _held_a_lock(self, process: Process) -> bool:
        timer = getattr(process, "timer", None)  # only workers have one: it runs during a task
        return timer is None or timer.value == IDLE


def was_killed(process: Process) -> bool:
    """Whether a signal has ended the process."""
    return process.exitcode is not None and process.exitcode < 0
