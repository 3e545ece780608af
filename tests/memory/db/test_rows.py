"""Changes of rows without the ORM: the same as by it."""

from uuid import uuid4

import pytest
from django.utils import timezone

from memory.db.rows import update_rows
from memory.domain.fields import Status
from memory.models import Fact
from tests.fixtures import remember

CHANGES = [
    {"text": "A 'lamp' 100 % \\ \"new\""},
    {"pinned": True, "status": Status.SUPERSEDED, "tags": ["a", "b,c"]},
    {"superseded_at": timezone.now(), "why": "", "doc_length": 40},
    {"superseded_at": None, "importance": 7, "locator": {"page": 3}},
]


def values_of(fact: Fact) -> dict[str, object]:
    return dict(Fact.objects.filter(pk=fact.pk).values().get())


@pytest.mark.parametrize("changes", CHANGES)
def test_fields_have_what_the_orm_would_give_them(alice, as_alice, changes):
    one, other = remember(alice, "The lamp hangs."), remember(alice, "Another lamp.")
    before = values_of(other)

    Fact.objects.filter(pk=one.pk).update(**changes)
    changed = update_rows(Fact, {"id": other.pk}, changes)

    assert changed == 1
    by_the_orm, by_hand = values_of(one), values_of(other)
    assert {name: by_hand[name] for name in changes} == {name: by_the_orm[name] for name in changes}
    assert {name for name in before if by_hand[name] != before[name]} <= set(changes)


@pytest.mark.parametrize(
    "where", [{"pinned": True}, {"text": "Another lamp."}, {"id": uuid4()}, {"importance": 9}]
)
def test_rows_that_differ_in_one_of_the_fields_stay(alice, as_alice, where):
    fact = remember(alice, "The lamp hangs.")
    before = values_of(fact)

    changed = update_rows(Fact, {"id": fact.pk, **where}, {"text": "changed"})

    assert changed == 0
    assert values_of(fact) == before
