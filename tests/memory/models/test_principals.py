"""What somebody may read is found out by each thread for itself."""

from threading import Event

import pytest
from django.db import connection, transaction

from memory.models import Principal, Scope
from tests.blocking import wait_until_somebody_waits_for_me
from tests.cases.handed import at_once


@pytest.mark.django_db(transaction=True)
def test_ceiling_is_found_while_another_thread_waits_for_the_database_with_its_own(alice, bob):
    is_made = Event()

    def work(place):
        if place == 0:
            with transaction.atomic():
                Scope.objects.for_everyone()
                is_made.set()
                wait_until_somebody_waits_for_me()
                return set(Principal(alice).ceiling)
        is_made.wait(20)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")
            return set(Principal(bob).ceiling)

    first, second = at_once(2, work)

    assert {len(first), len(second)} == {2}
    assert first & second == {Scope.objects.for_everyone().pk}
