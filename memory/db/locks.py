"""Advisory locks: one host does a thing at a time, and a dead one never blocks the others."""

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import Error, connection

POLL_SECONDS = 0.2


@contextmanager
def advisory_lock(name: str) -> Iterator[bool]:
    """Hold a lock across hosts while inside; False at once when somebody else holds it."""
    key = zlib.crc32(name.encode())
    is_held = _try(key)
    try:
        yield is_held
    finally:
        if is_held:
            _give_back("SELECT pg_advisory_unlock(%s)", key)


@contextmanager
def patient_lock(name: str, when_taken: Callable[[], None]) -> Iterator[None]:
    """Hold a lock across hosts while inside; waits for whoever holds it, and says so once.

    Asks again and again: a statement that waits is one that the building of a concurrent index
    waits for, and whoever builds it may be the one that holds the lock.
    """
    key = zlib.crc32(name.encode())
    if not _try(key):
        when_taken()
        while not _try(key):
            time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        _give_back("SELECT pg_advisory_unlock(%s)", key)


@contextmanager
def shared_lock(name: str) -> Iterator[None]:
    """Inside, nobody holds the lock of this name alone; waits for whoever does."""
    key = zlib.crc32(name.encode())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock_shared(%s)", [key])
    try:
        yield
    finally:
        _give_back("SELECT pg_advisory_unlock_shared(%s)", key)


def lock_until_commit(name: str) -> None:
    """Wait for a lock across hosts; the end of the transaction that is open gives it back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [zlib.crc32(name.encode())])


def _try(key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        row = cursor.fetchone()
    return bool(row and row[0])


def _give_back(statement: str, key: int) -> None:
    if connection.connection is None:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement, [key])
    except Error:
        # The work broke the connection and has its own error to tell; the lock ends with it.
        connection.close()
