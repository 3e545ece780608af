"""Commits that are not waited for: whole all the same, and of no effect on what is around them."""

import pytest
from django.db import connection, transaction

from memory.db.commits import lazy_commit
from memory.models import Category


def setting() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        ((value,),) = cursor.fetchall()
    return str(value)


@pytest.fixture
def waits(transactional_db):
    """Commits of this connection wait for the disk, as they do outside of tests."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET synchronous_commit")


def test_only_what_is_inside_does_not_wait(waits):
    with lazy_commit():
        inside = setting()

    assert (inside, setting()) == ("off", "on")


def test_transaction_around_it_still_waits(waits):
    with transaction.atomic(), lazy_commit():
        assert setting() == "on"


def test_all_of_it_is_undone_by_an_error(waits):
    count = Category.objects.count()

    with pytest.raises(ZeroDivisionError), lazy_commit():
        Category.objects.all().delete()
        raise ZeroDivisionError

    assert Category.objects.count() == count
