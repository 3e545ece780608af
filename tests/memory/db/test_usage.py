"""Counting recalls: at once, and without weakening anybody else's commit."""

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory.db.usage import count_recalls, count_repeats
from memory.models import Fact, FactUsage, Principal, across_owners, acting_as
from tests.fixtures import remember


def setting() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        return str(cursor.fetchone()[0])


@pytest.fixture
def durable(transactional_db: None):
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET synchronous_commit")


def test_count_recalls_adds_one_to_each_and_leaves_the_session_durable(durable, alice):
    facts = [remember(alice, f"Fact number {number}").pk for number in range(3)]

    count_recalls(facts, timezone.now())
    count_recalls(facts[:1], timezone.now())

    with acting_as(Principal(alice)):
        counts = {usage.pk: usage.recall_count for usage in FactUsage.objects.all()}
    assert [counts[pk] for pk in facts] == [2, 1, 1]
    assert setting() == "on"


def test_count_recalls_leaves_an_open_transaction_durable(durable, alice):
    fact = remember(alice, "Anything")

    with transaction.atomic():
        count_recalls([fact.pk], timezone.now())

        assert setting() == "on"


@pytest.mark.parametrize("count", [count_recalls, count_repeats])
def test_count_leaves_out_a_fact_that_is_purged(alice, count):
    kept, purged = remember(alice, "Kept"), remember(alice, "Purged")
    with across_owners():
        Fact.objects.filter(pk=purged.pk).delete()

    count([purged.pk, kept.pk], timezone.now())

    with across_owners():
        usage = FactUsage.objects.get()
    assert usage.pk == kept.pk
    assert usage.recall_count + usage.repeat_count == 1


def test_count_repeats_adds_one_for_each_time_that_a_fact_is_named(alice):
    first, second = remember(alice, "First"), remember(alice, "Second")

    count_repeats([first.pk, second.pk, first.pk], timezone.now())
    count_repeats([first.pk], timezone.now())

    with across_owners():
        counts = dict(FactUsage.objects.values_list("pk", "repeat_count"))
    assert counts == {first.pk: 3, second.pk: 1}


def test_count_of_nothing_writes_nothing(alice):
    remember(alice, "Anything")

    count_repeats([], timezone.now())

    with across_owners():
        assert not FactUsage.objects.exists()
