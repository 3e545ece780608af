"""Whether the parts that run do their work."""

import http.client
import time
from collections.abc import Callable
from datetime import datetime

from django.db import Error, connections
from django.utils import timezone

from memory.models import WorkerBeat
from memory.services.workers import dead_after_seconds

LIVE_PATH = "/api/v1/health/live"
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - not bound
POLL_SECONDS = 0.05


def wait_until_live(
    address: tuple[str, int], *, header: str, seconds: float, gave_up: Callable[[], bool]
) -> bool:
    """Whether the web process answers within `seconds`, unless `gave_up` says stop waiting."""
    host, port = address
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not gave_up():
        if _answers(ANY_ADDRESS.get(host, host), port, header):
            return True
        time.sleep(POLL_SECONDS)
    return False


def _answers(host: str, port: int, header: str) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", LIVE_PATH, headers={"Host": header})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class BeatWatch:
    """Tells a worker that hangs from one whose beat could not be written."""

    def __init__(self, worker: str) -> None:
        self.worker = worker
        self._database_failed_at = float("-inf")

    def wait_for_first(self, *, since: datetime, seconds: float) -> bool:
        """Whether the worker has written a beat since then, or does within `seconds`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._is_alive((timezone.now() - since).total_seconds()):
                return True
            time.sleep(POLL_SECONDS)
        return False

    def is_silent(self, started_at: float) -> bool:
        """Whether the worker, started at that monotonic time, has stopped writing its beat."""
        limit = dead_after_seconds()
        now = time.monotonic()
        is_alive = self._is_alive(limit)
        return not is_alive and now - max(started_at, self._database_failed_at) > limit

    def _is_alive(self, seconds: float) -> bool:
        try:
            alive = WorkerBeat.objects.alive(timezone.now(), seconds)
            return self.worker in alive.in_bulk([self.worker])
        except Error:
            self._database_failed_at = time.monotonic()
            return False
        finally:
            connections.close_all()
