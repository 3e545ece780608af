"""Commits that nobody has to wait for."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def lazy_commit() -> Iterator[None]:
    """A transaction that is not waited for until it is on the disk.

    Others see it at once. If the database crashes within a second, all of it may be as if it had
    never been; the next commit that is waited for makes sure of it as well.
    """
    # Inside a transaction the setting would reach what else is written there.
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL synchronous_commit TO off")
        yield
