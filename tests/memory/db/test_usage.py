"""Counting recalls: at once, and without weakening anybody else's commit."""

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory.db.usage import count_recalls
from memory.models import FactUsage, Principal, acting_as
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
