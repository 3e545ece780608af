"""Who did what to which memory."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from dashboard.queries.history import changes_of, diff, recent_changes
from memory.models import Fact, Principal, Scope, User, acting_as
from memory.services.actors import changes_by
from memory.services.bulk import move_facts, pin_facts, retag_facts
from memory.services.facts import correct_fact, forget_fact, restore_fact, withdraw_fact
from memory.services.moving import move_fact
from memory.services.undoing import undo_change
from tests.fixtures import Api, remember

pytestmark = pytest.mark.django_db


def test_changes_name_the_actor_and_the_verb(as_alice: Principal, fact: Fact) -> None:
    changes = {"text": "Ines signs off each build.", "kind": "rule"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=changes)
    forget_fact(principal=as_alice, fact_id=fact.pk)
    restore_fact(principal=as_alice, fact_id=fact.pk)

    told = changes_of(as_alice, Fact.objects.get())

    assert [change.verb for change in told] == ["restored", "forgot", "corrected", "kept"]
    assert {change.actor for change in told} == {"You"}
    assert [(each.label, each.old, each.new) for each in told[2].details] == [
        ("Kind", "fact", "rule")
    ]
    assert [change.can_undo for change in told] == [True, False, False, False]


def test_what_the_classifier_filed_anew_is_told_as_its_own(as_alice: Principal, fact: Fact) -> None:
    with changes_by(as_alice, "classified"):
        Fact.objects.filter(pk=fact.pk).update(kind="rule", importance=9)

    (filed, kept) = changes_of(as_alice, Fact.objects.get())

    assert (filed.actor, filed.verb) == ("The classifier", "refiled")
    assert (kept.actor, kept.verb) == ("You", "kept")


REASON = "only weak clues, and the classifier gives it 0.03"


def test_what_the_classifier_withdrew_is_told_as_its_own_with_why(
    as_alice: Principal, fact: Fact, api: Api, client: Client
) -> None:
    client.force_login(as_alice.user)
    withdraw_fact(principal=as_alice, fact_id=fact.pk, reason=REASON)

    last, first = changes_of(as_alice, Fact.objects.get())
    state = api("get", f"facts/{fact.pk}/history").json()["history"][-1]

    told = (last.actor, last.verb, last.reason, last.can_undo, last.put_back)
    assert told == ("The classifier", "withdrew", REASON, True, "It is in use again.")
    assert (first.actor, first.reason) == ("You", "")
    assert (state["action"], state["by"], state["reason"]) == ("withdrew", last.actor, REASON)
    for address in (fact.get_absolute_url(), "/"):
        shown = client.get(address).content.decode()
        assert "The classifier withdrew" in shown
        assert REASON in shown
        assert "You forgot" not in shown


def test_withdrawal_that_a_person_undid_still_says_why_it_was(
    as_alice: Principal, fact: Fact
) -> None:
    withdraw_fact(principal=as_alice, fact_id=fact.pk, reason=REASON)
    undo_change(principal=as_alice, fact_id=fact.pk)

    back, withdrawn, _ = changes_of(as_alice, Fact.objects.get())

    assert (back.actor, back.verb, back.reason) == ("You", "restored", "")
    assert (withdrawn.actor, withdrawn.verb, withdrawn.reason) == (
        "The classifier", "withdrew", REASON,
    )  # fmt: skip


@pytest.mark.parametrize("address", ["change/", ""])
def test_admin_says_that_the_classifier_withdrew_it(
    as_alice: Principal, fact: Fact, root: User, client: Client, address: str
) -> None:
    withdraw_fact(principal=as_alice, fact_id=fact.pk, reason=REASON)
    client.force_login(root)

    path = f"/admin/memory/fact/{fact.pk}/change/" if address else "/admin/memory/fact/"
    shown = client.get(path, {} if address else {"status": "archived"}).content.decode()

    assert (f"withdrawn by the classifier: {REASON}" if address else "withdrawn") in shown


def edit(principal: Principal, fact: Fact) -> None:
    correct_fact(principal=principal, fact_id=fact.pk, changes={"tags": ["a"]})


def retag(principal: Principal, fact: Fact) -> None:
    retag_facts(hands=lambda _: principal, fact_ids=[fact.pk], add=[], remove=["b"])


def move(principal: Principal, fact: Fact) -> None:
    scope = Scope.objects.for_everyone()
    move_fact(principal=principal, fact_id=fact.pk, scope=scope)


def move_many(principal: Principal, fact: Fact) -> None:
    scope = Scope.objects.for_everyone()
    move_facts(hands=lambda _: principal, fact_ids=[fact.pk], scope=scope)


def pin(principal: Principal, fact: Fact) -> None:
    pin_facts(hands=lambda _: principal, fact_ids=[fact.pk], pinned=True)


TAGS = ("retagged", "Tags", "a, b", "a", "The old tags are back.")
READERS = ("moved", "Visible to", "you", "everyone", "It is visible to you again.")
PIN = ("pinned", "Pinned", "no", "yes", "It is unpinned again.")


@pytest.mark.parametrize(
    ("change", "told"),
    [(edit, TAGS), (retag, TAGS), (move, READERS), (move_many, READERS), (pin, PIN)],
)
def test_change_of_labels_or_readers_is_told_from_to_and_can_be_undone(
    staff: User, change: Callable[[Principal, Fact], None], told: tuple[str, ...]
) -> None:
    fact = remember(staff, "The gate is green.", tags=("a", "b"))
    clerk = Principal(staff, may_write_global=True)

    with acting_as(clerk):
        change(clerk, fact)
        last, kept = changes_of(clerk, fact)
        (recent, _) = recent_changes(clerk, 10)

    (detail,) = last.details
    assert (last.verb, detail.label, detail.old, detail.new, last.put_back) == told
    assert (last.actor, last.can_undo, recent.verb) == ("You", True, last.verb)
    assert (kept.verb, kept.can_undo) == ("kept", False)


@pytest.mark.parametrize(
    "beside", [{"tags": ["a"]}, {"kind": "rule"}, {"tags": ["a"], "kind": "rule"}]
)
def test_rewording_is_a_correction_whatever_labels_changed_with_it(
    as_alice: Principal, beside: dict[str, Any]
) -> None:
    fact = remember(as_alice.user, "The gate is green.", tags=("a", "b"))
    changes = {"text": "The gate is blue.", **beside}

    correct_fact(principal=as_alice, fact_id=fact.pk, changes=changes)

    last, _ = changes_of(as_alice, Fact.objects.get())
    assert last.verb == "corrected"
    assert {each.name for each in last.details} == set(beside)


def test_new_readers_learn_of_a_move_and_not_where_from(staff: User, alice: User) -> None:
    fact = remember(staff, "The gate is green.")
    clerk = Principal(staff, may_write_global=True)
    with acting_as(clerk):
        move(clerk, fact)

    with acting_as(Principal(alice)) as reader:
        (change,) = changes_of(reader, Fact.objects.select_related("scope").get(pk=fact.pk))

    assert (change.actor, change.verb, change.can_undo) == (staff.email, "moved", False)
    assert [(each.old, each.new) for each in change.details] == [("", "everyone")]


def test_move_is_not_undone_by_who_may_not_write_where_it_was(staff: User) -> None:
    fact = remember(staff, "The gate is green.", scope=Scope.objects.for_everyone())
    clerk = Principal(staff, may_write_global=True)
    with acting_as(clerk):
        move_fact(principal=clerk, fact_id=fact.pk, scope=Scope.objects.for_user(staff))

    with acting_as(Principal(staff)) as member:
        assert not changes_of(member, Fact.objects.select_related("scope").get())[0].can_undo


def test_recent_changes_leave_out_what_is_not_visible(as_alice: Principal, bob: User) -> None:
    remember(bob, "Bob's locker is number nine.")

    assert recent_changes(as_alice, 10) == []


def test_diff_marks_words_and_keeps_the_rest() -> None:
    pieces = [(piece.mark, piece.text) for piece in diff("it ships in May", "it ships late in May")]

    assert pieces == [("same", "it ships"), ("added", "late"), ("same", "in May")]


def test_change_that_only_masked_says_so_and_has_nothing_to_undo(as_alice: Principal) -> None:
    fact = remember(as_alice.user, "Of the cabin", value="bluegoose42")
    change = {"text": "Of the wifi", "key": "wifi password"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "My password is 0badf00d"})
    hidden = {"text": "My password is [secret: password]"}
    Fact.objects.filter(pk=fact.pk).update(text="My password is 0badf00d")

    correct_fact(principal=as_alice, fact_id=fact.pk, changes=hidden)

    last, *_ = changes_of(as_alice, Fact.objects.get())
    assert (last.verb, last.pieces, last.details, last.can_undo) == (
        "masked a secret in", [], [], False,
    )  # fmt: skip
