"""Django's PostgreSQL backend, for a database that starts when nobody runs it."""

import atexit
import os
import threading
import time
from pathlib import Path
from typing import Any

from django.db import OperationalError, connections
from django.db.backends.postgresql import base

from memory.db.errors import DatabaseFailed
from memory.db.place import Place, place_of
from memory.db.server import Server, is_running, start, wait_for_other

UNUSED_SECONDS = 60.0
POLL_SECONDS = 0.1
_starting = threading.Lock()
_is_supervised = threading.Event()


def leave_to_supervisor() -> None:
    """Only connect from now on: this process looks after the server in another way."""
    _is_supervised.set()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the home's own server."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection, after starting the server if this home has none.

        Raises: OperationalError with the reason it did not start.
        """
        if not _is_supervised.is_set():
            _ensure_running(Path(self.settings_dict["LONGHAND_HOME"]))
        return super().get_new_connection(conn_params)


def _ensure_running(home: Path) -> None:
    place = place_of(home)
    try:
        with _starting:
            _start_if_alone(place)
    except (DatabaseFailed, OSError) as error:
        raise OperationalError(str(error)) from error


def _start_if_alone(place: Place) -> None:
    while not is_running(place):
        server = start(place)
        if server is not None:
            atexit.register(_stop, server, os.getpid())
        elif not wait_for_other(place):
            time.sleep(POLL_SECONDS)


def _stop(server: Server, starter: int) -> None:
    # A forked child runs the same exit handlers, but the server is not its to stop.
    if os.getpid() != starter:
        return
    for connection in connections.all(initialized_only=True):
        connection.close()
        # A pool keeps its connections open, and the server waits for those.
        if isinstance(connection, DatabaseWrapper) and connection.pool:
            connection.close_pool()
    server.stop_when_unused(UNUSED_SECONDS)
