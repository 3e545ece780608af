"""Waiting, in a thread that holds a lock of the database, until another thread wants it."""

from time import monotonic, sleep

from django.db import connection

BLOCKED_BY_ME = """
SELECT EXISTS (
    SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
)
"""


def wait_until_somebody_waits_for_me(seconds: float = 20.0) -> None:
    """Return once another connection waits for this one's transaction."""
    deadline = monotonic() + seconds
    with connection.cursor() as cursor:
        while True:
            cursor.execute(BLOCKED_BY_ME)
            if cursor.fetchone()[0]:
                return
            assert monotonic() < deadline, "nobody waited for this transaction"
            sleep(0.02)
