"""Who did what to which memory."""

import pytest

from dashboard.queries.history import changes_of, diff, recent_changes
from memory.models import Fact, Principal, User
from memory.services.facts import correct_fact, forget_fact, restore_fact
from tests.fixtures import remember

pytestmark = pytest.mark.django_db


def test_changes_name_the_actor_and_the_verb(as_alice: Principal, fact: Fact) -> None:
    changes = {"text": "Ines signs off each build.", "kind": "rule"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=changes)
    forget_fact(principal=as_alice, fact_id=fact.pk)
    restore_fact(principal=as_alice, fact_id=fact.pk)

    told = changes_of(as_alice, Fact.objects.get())

    assert [change.verb for change in told] == ["restored", "forgot", "corrected", "kept"]
    assert {change.actor for change in told} == {"You"}
    assert told[2].fields == ["kind"]
    assert [change.can_undo for change in told] == [True, False, False, False]


def test_recent_changes_leave_out_what_is_not_visible(as_alice: Principal, bob: User) -> None:
    remember(bob, "Bob's locker is number nine.")

    assert recent_changes(as_alice, 10) == []


def test_diff_marks_words_and_keeps_the_rest() -> None:
    pieces = [(piece.mark, piece.text) for piece in diff("it ships in May", "it ships late in May")]

    assert pieces == [("same", "it ships"), ("added", "late"), ("same", "in May")]
