"""Memories that contradict each other are marked, both sides alike, and no others are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.domain.attributes import MAX_WORDS
from memory.models import Fact, Principal, acting_as
from memory.services.facts import forget_fact
from tests.fixtures import add_turn, remember
from tests.memory.services.claiming import active, live


def test_statements_about_different_things_of_one_name_dispute_nothing(alice, as_alice):
    for number in range(101, 131):
        remember(alice, f"Ticket {number} is closed")
    remember(alice, "OPS-7 is closed for good")
    remember(alice, "OPS-8 is closed for good")

    assert len(active()) == 32
    assert not Fact.objects.filter(attributes__has_key="contradiction_flag").exists()


@pytest.mark.parametrize("name", ["Ticket {}", "OPS-{}", "Rack #{}"])
def test_denial_finds_its_own_among_many_that_differ_in_a_number(alice, as_alice, name):
    said = {n: remember(alice, f"{name.format(n)} is closed now") for n in range(101, 141)}

    denied = remember(alice, f"{name.format(137)} is not closed now")

    marked = Fact.objects.filter(attributes__has_key="contradiction_flag")
    assert {fact.pk for fact in marked} == {said[137].pk, denied.pk}


def test_dispute_of_many_marks_the_latest_in_one_statement_and_both_sides_alike(alice, as_alice):
    told = {"entity": "Tamsin", "key": "home", "attributes": {"allow_coexistence": True}}
    many = [live(alice, f"Town{n}", days=n, **told) for n in range(MAX_WORDS + 8)]
    updates = []

    for n in range(2):
        with CaptureQueriesContext(connection) as queries:
            live(alice, f"City{n}", days=100 + n, **told)
        updates.append([q for q in queries if q["sql"].startswith('UPDATE "memory_fact"')])

    assert all(len(each) <= 1 for each in updates)
    marks = dict(Fact.objects.values_list("pk", "attributes__x-contradicts"))
    assert len(marks) == len(many) + 2
    assert all(len(each or []) <= MAX_WORDS for each in marks.values())
    pairs = {(str(pk), other) for pk, named in marks.items() for other in named or []}
    assert pairs == {(other, pk) for pk, other in pairs}


def test_end_of_a_dispute_of_many_clears_all_of_its_marks_in_one_statement(alice, as_alice):
    told = {"entity": "Tamsin", "key": "home", "attributes": {"allow_coexistence": True}}
    many = [live(alice, f"Town{n}", days=n, **told) for n in range(6)]

    with CaptureQueriesContext(connection) as queries:
        forget_fact(principal=as_alice, fact_id=many[2].pk)

    assert (
        len([q for q in queries if q["sql"].startswith('UPDATE "memory_fact" SET "attributes"')])
        == 1
    )
    assert not any(
        str(many[2].pk) in (named or [])
        for named in Fact.objects.active().values_list("attributes__x-contradicts", flat=True)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like coffee.", "I don't like coffee."),
        ("我喜欢咖啡。", "我不喜欢咖啡。"),
        ("Ich mag Kaffee.", "Ich mag keinen Kaffee."),
    ],
)
def test_denial_that_is_said_later_is_noticed_in_every_language(alice, one, other):
    add_turn(alice, one)
    add_turn(alice, other)

    with acting_as(Principal(alice)):
        rows = Fact.objects.active()
        flags = list(rows.values_list("attributes__contradiction_flag", flat=True))
    assert len(flags) == 1 or flags == [True, True]
