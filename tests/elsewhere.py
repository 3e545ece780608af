"""What another host does on the same database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from zlib import crc32

from django.db import connections


@contextmanager
def locks_held(*names: str) -> Iterator[None]:
    """Inside, another host holds the advisory locks with these names, which have to be free."""
    with closing(connections.create_connection("default")) as other, other.cursor() as cursor:
        for name in names:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [crc32(name.encode())])
            assert cursor.fetchone() == (True,), f"{name} is held already"
        try:
            yield
        finally:
            # Closing alone leaves them held until the server has noticed.
            cursor.execute("SELECT pg_advisory_unlock_all()")
