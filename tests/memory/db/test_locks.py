"""A lock is held across connections, and its loss never hides what went wrong."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection, connections

from memory.db.locks import advisory_lock

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "tests of locks"


@pytest.fixture
def other() -> Iterator[Any]:
    another = connections.create_connection("default")
    yield another
    another.close()


def is_free(other: Any) -> bool:
    with other.cursor() as cursor:
        # The server is shared with the databases of the other test processes.
        cursor.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
            " WHERE locktype = 'advisory' AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0] == 0)


def test_lock_is_held_inside_and_free_afterwards(other: Any) -> None:
    with advisory_lock(NAME) as is_held:
        assert is_held
        assert not is_free(other)

    assert is_free(other)


def test_lock_is_free_when_the_work_fails(other: Any) -> None:
    with pytest.raises(ZeroDivisionError), advisory_lock(NAME):
        raise ZeroDivisionError

    assert is_free(other)


def test_error_of_the_work_is_told_when_it_also_lost_the_connection(other: Any) -> None:
    with pytest.raises(ZeroDivisionError), advisory_lock(NAME):
        end_session(other)
        raise ZeroDivisionError

    assert is_free(other)
    with advisory_lock(NAME) as is_held:
        assert is_held


def test_lost_connection_is_told_when_the_work_met_it(other: Any) -> None:
    with pytest.raises(OperationalError, match="terminat"), advisory_lock(NAME):
        end_session(other)
        connection.cursor().execute("SELECT 1")


def end_session(other: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
