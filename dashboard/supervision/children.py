"""One supervised part: started under a guard, started again when it dies."""

import time
from collections.abc import Callable

import structlog

from memory.db.guarded import Guarded

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
HEALTHY_SECONDS = 60.0

logger = structlog.get_logger(__name__)


def delay_seconds(failures: int) -> float:
    """How long to wait before start number `failures` + 1, doubling up to half a minute."""
    return min(FIRST_DELAY_SECONDS * 2.0 ** max(failures - 1, 0), LONGEST_DELAY_SECONDS)


class Child:
    """A part of Longhand that should always run."""

    def __init__(self, name: str, start: Callable[[], Guarded | None]) -> None:
        self.name = name
        self._start = start
        self.guarded: Guarded | None = None
        self.started_at = 0.0
        self.failures = 0
        self._due_at: float | None = None

    def start(self) -> None:
        """Start it now, or note the failure and try later."""
        self.started_at = time.monotonic()
        self._due_at = None
        self.guarded = self._start()

    def adopt(self, guarded: Guarded) -> None:
        """Look after one that already runs."""
        self.started_at = time.monotonic()
        self.guarded = guarded

    def keep_running(self) -> None:
        """Note a death, and start again once the delay is over."""
        now = time.monotonic()
        if self._due_at is not None:
            if now >= self._due_at:
                self.start()
        elif self.guarded is None or self.guarded.has_ended():
            self._note_death(now)

    def restart(self) -> None:
        """End it at once; it starts again like one that died."""
        if self.guarded is not None:
            self.guarded.close()

    def ask_to_stop(self) -> None:
        """Tell it to end, without waiting."""
        if self.guarded is not None:
            self.guarded.ask_to_stop()

    def stop_by(self, deadline: float) -> None:
        """Wait until it has ended, and end it by force at the deadline.

        Units: `deadline` in seconds of `time.monotonic`.
        """
        if self.guarded is not None:
            self.guarded.wait(max(deadline - time.monotonic(), 0.01))
            self.guarded.close()
            self.guarded = None

    def _note_death(self, now: float) -> None:
        status = self.guarded.process.returncode if self.guarded else None
        if self.guarded is not None:
            self.guarded.close()
        self.guarded = None
        lived = now - self.started_at
        self.failures = 1 if lived > HEALTHY_SECONDS else self.failures + 1
        delay = delay_seconds(self.failures)
        self._due_at = now + delay
        logger.error("part.died", part=self.name, status=status, again_in_seconds=delay)
