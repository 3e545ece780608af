"""A database that went away costs one attempt at most; the next task and page find it again."""

import pytest
from django.db import IntegrityError, OperationalError, close_old_connections, connection
from django.db import connections as all_connections

from memory.models import JobRun, User
from memory.services.jobs import run_job

pytestmark = pytest.mark.django_db(transaction=True)


def terminate(pid):
    """End a connection as its administrator would, by another one."""
    other = all_connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    finally:
        other.close()


def pid():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def count_users():
    return {"users": User.objects.count()}


def test_task_after_the_connection_was_terminated_succeeds(alice):
    run_job("count", count_users)
    terminate(pid())
    close_old_connections()  # as the queue does before each task

    run = run_job("count", count_users)

    assert (run.outcome, run.counts) == ("done", {"users": 1})


def test_task_that_loses_its_connection_is_failed_and_the_next_one_succeeds(alice):
    def lose():
        terminate(pid())
        return count_users()

    first = run_job("count", lose)
    second = run_job("count", count_users)

    assert first.outcome == "failed"
    assert "OperationalError" in first.error
    assert second.outcome == "done"
    assert not JobRun.objects.unfinished().exists()


def test_database_error_inside_a_task_does_not_reach_the_next(alice):
    def twice():
        User.objects.create_user(alice.email)

    first = run_job("count", twice)
    second = run_job("count", count_users)

    assert (first.outcome, second.outcome) == ("failed", "done")
    assert IntegrityError.__name__ in first.error


def test_page_after_the_connection_was_terminated_is_shown(client, alice):
    client.force_login(alice)
    terminate(pid())
    with pytest.raises(OperationalError):
        count_users()

    close_old_connections()  # as a real request does at its start; the test client leaves it out

    assert client.get("/memories/").status_code == 200
