"""Advisory locks: one host does a thing at a time, and a dead one never blocks the others."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def advisory_lock(name: str) -> Iterator[bool]:
    """Hold a lock across hosts while inside; False at once when somebody else holds it."""
    key = zlib.crc32(name.encode())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        row = cursor.fetchone()
    is_held = bool(row and row[0])
    try:
        yield is_held
    finally:
        if is_held and connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
