"""One change of many memories: as each alone would be changed, in a few statements."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.domain.fields import MAX_TAGS
from memory.models import Embedding, Fact, FactHistory, Principal, Scope, User, acting_as
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.bulk import (
    GONE,
    SAID_THERE,
    TELLS_TOO_MUCH,
    Outcome,
    forget_facts,
    move_facts,
    pin_facts,
    purge_facts,
    recategorize_facts,
    restore_facts,
    retag_facts,
)
from memory.services.facts import forget_fact
from memory.services.moving import PASSAGE_STAYS
from tests.fixtures import add_document, add_turn, agent_of, remember
from tests.furnished import add_passages_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def quill(alice: User) -> Scope:
    return Scope.objects.for_agent(agent_of(alice, "quill"))


def by(user: User) -> Any:
    principal = Principal(user, may_write_global=user.is_staff)
    return lambda _ids: principal


def ids_of(*facts: Fact) -> list[UUID]:
    return [fact.pk for fact in facts]


def now(user: User, fact: Fact) -> Fact:
    with acting_as(Principal(user)):
        found: Fact = Fact.objects.select_related("scope").get(pk=fact.pk)
        return found


def passage_of(user: User) -> Fact:
    document = add_document(user, "lease.txt")
    add_passages_to(document)
    with acting_as(Principal(user)):
        found: Fact = Fact.objects.filter(document=document).order_by("ordinal")[0]
        return found


def found(user: User, words: str) -> list[str]:
    with acting_as(Principal(user)) as principal:
        answer = recall(RecallQuery(text=words, mode="keyword"), principal.recall_scopes())
    return [result.row.text for result in answer.results]


def retag(user: User, facts: list[Fact], *, add: str = "", remove: str = "") -> Outcome:
    return retag_facts(
        hands=by(user), fact_ids=ids_of(*facts), add=add.split(), remove=remove.split()
    )


def test_retagged_memories_have_the_tags_and_are_found_by_them(alice):
    cress = remember(alice, "Bed one is sown", tags=("old", "bed"))
    passage = passage_of(alice)

    outcome = retag(alice, [cress, passage], add="garden bed", remove="old")

    assert (outcome.done, outcome.refused.total()) == (2, 0)
    assert now(alice, cress).tags == ["bed", "garden"]
    assert set(found(alice, "garden")) == {cress.text, passage.text}
    assert found(alice, "old") == []
    # Its document's name still finds the passage.
    assert passage.text in found(alice, "lease txt")


def test_memory_that_gets_too_many_tags_is_refused_and_the_others_are_changed(alice, bob):
    full = remember(alice, "Full", tags=tuple(f"t{number}" for number in range(MAX_TAGS)))
    other, his = remember(alice, "Other"), remember(bob, "Bob's")

    outcome = retag(alice, [full, other, his], add="garden")

    assert outcome.done == 1
    assert outcome.refused[GONE] == 1
    assert any("limit is 32" in reason for reason in outcome.refused)
    assert now(alice, other).tags == ["garden"]
    assert len(now(alice, full).tags) == MAX_TAGS
    assert now(bob, his).tags == []


def test_secret_in_a_new_tag_is_masked(alice):
    fact, secret = remember(alice, "Bed one is sown"), "sk-" + "a1B2c3D4" * 5

    retag(alice, [fact], add=secret)

    (tag,) = now(alice, fact).tags
    assert "secret" in tag
    assert secret not in tag


def test_moved_memories_go_with_vectors_and_history_and_the_others_say_why(alice, quill, vectors):
    goes, is_there = remember(alice, "Bed one"), remember(alice, "Bed two", scope=quill)
    twin, passage = remember(alice, "BED TWO"), passage_of(alice)
    vectors()

    outcome = move_facts(
        hands=by(alice), fact_ids=ids_of(goes, is_there, twin, passage), scope=quill
    )

    assert (outcome.done, outcome.unchanged) == (1, 1)
    assert dict(outcome.refused) == {SAID_THERE: 1, PASSAGE_STAYS: 1}
    assert now(alice, goes).scope == now(alice, is_there).scope == quill
    assert now(alice, twin).scope != quill
    with acting_as(Principal(alice)):
        assert {each.scope_id for each in Embedding.objects.of_fact(goes.pk)} == {quill.pk}
        last = FactHistory.objects.of(goes.pk).select_related("pgh_context").last()
        assert last.pgh_context.metadata["action"] == "moved"
        assert FactHistory.objects.of(is_there.pk).count() == 1


def test_of_two_that_say_the_same_one_moves_but_a_forgotten_one_is_in_nobodys_way(alice, quill):
    rook = Scope.objects.for_agent(agent_of(alice, "rook"))
    one, two = remember(alice, "Bed one"), remember(alice, "Bed one", scope=rook)
    gone = remember(alice, "Bed three", scope=rook)
    with acting_as(Principal(alice)) as principal:
        forget_fact(principal=principal, fact_id=gone.pk)
    kept = remember(alice, "Bed three")

    outcome = move_facts(hands=by(alice), fact_ids=ids_of(one, two, gone, kept), scope=quill)

    assert (outcome.done, dict(outcome.refused)) == (3, {SAID_THERE: 1})
    assert now(alice, gone).scope == now(alice, kept).scope == quill


def test_memory_that_changes_hands_names_its_turn_no_more(staff):
    turn = add_turn(staff, "Remember that the gate code is on the fridge.")
    with acting_as(Principal(staff)):
        fact: Fact = Fact.objects.get(turn=turn)
    everybody = Scope.objects.for_everyone()

    assert move_facts(hands=by(staff), fact_ids=[fact.pk], scope=everybody).done == 1

    assert now(staff, fact).turn_id is None


@pytest.mark.parametrize("whose", ["everybody", "bob"])
def test_nothing_moves_where_its_owner_may_not_write(alice, bob, whose):
    fact = remember(alice, "Bed one")
    target = Scope.objects.for_everyone() if whose == "everybody" else Scope.objects.for_user(bob)

    outcome = move_facts(hands=by(alice), fact_ids=[fact.pk], scope=target)

    assert (outcome.done, outcome.refused.total()) == (0, 1)
    assert now(alice, fact).scope.owner == alice


def test_words_that_are_kept_there_meanwhile_stop_none_of_the_others(alice, quill):
    one, two = remember(alice, "Bed one"), remember(alice, "Bed two")
    kept: list[Fact] = []

    def keep_before_the_move(execute: Any, sql: str, *given: Any) -> Any:
        if sql.startswith("UPDATE") and '"scope_id"' in sql and not kept:
            kept.append(one)
            remember(alice, "Bed one", scope=quill)
        return execute(sql, *given)

    with connection.execute_wrapper(keep_before_the_move):
        outcome = move_facts(hands=by(alice), fact_ids=ids_of(one, two), scope=quill)

    assert kept
    assert outcome.done + outcome.refused.total() == 2
    assert now(alice, two).scope == quill


@pytest.mark.parametrize("change", ["tags", "scope"])
def test_many_are_changed_in_as_many_statements_as_one(alice, quill, change):
    numbers = []
    for count in (2, 40):
        facts = [remember(alice, f"Bed {count}.{number}") for number in range(count)]
        with CaptureQueriesContext(connection) as queries:
            if change == "tags":
                retag(alice, facts, add="garden")
            else:
                move_facts(hands=by(alice), fact_ids=ids_of(*facts), scope=quill)
        numbers.append(len(queries))

    assert numbers[0] == numbers[1]


def test_tag_that_would_make_a_secret_of_a_memorys_words_is_refused(alice):
    secret = remember(alice, "The router hums", why="hunter2abc")
    other = remember(alice, "The cat sleeps", why="She told me")

    outcome = retag_facts(
        hands=lambda _: Principal(alice),
        fact_ids=[secret.pk, other.pk],
        add=["password"],
        remove=[],
    )

    assert (outcome.done, dict(outcome.refused)) == (1, {TELLS_TOO_MUCH: 1})
    with acting_as(Principal(alice)):
        assert Fact.objects.get(pk=secret.pk).tags == []
        assert Fact.objects.get(pk=other.pk).tags == ["password"]


CHANGES: dict[str, Any] = {
    "category": lambda **of: recategorize_facts(category="decision", **of),
    "tags": lambda **of: retag_facts(add=["garden"], remove=["old"], **of),
    "pin": lambda **of: pin_facts(pinned=True, **of),
    "scope": lambda **of: move_facts(scope=Scope.objects.get(kind="agent"), **of),
    "forget": lambda **of: forget_facts(reason="", **of),
    "restore": lambda **of: restore_facts(**of),
}


@pytest.mark.usefixtures("quill")
@pytest.mark.parametrize("change", CHANGES)
def test_what_was_so_already_is_counted_apart(alice: User, change: str) -> None:
    facts = [remember(alice, f"Bed {number} is sown", tags=("old",)) for number in range(3)]
    if change == "restore":
        forget_facts(hands=by(alice), fact_ids=ids_of(*facts), reason="")

    first = CHANGES[change](hands=by(alice), fact_ids=ids_of(facts[0]))
    rest = CHANGES[change](hands=by(alice), fact_ids=ids_of(*facts))
    again = CHANGES[change](hands=by(alice), fact_ids=ids_of(*facts))

    counted = [(each.done, each.unchanged) for each in (first, rest, again)]
    assert counted == [(1, 0), (2, 1), (0, 3)]
    assert not any(each.refused for each in (first, rest, again))


def test_what_is_deleted_is_never_so_already(alice: User) -> None:
    fact = remember(alice, "Bed one is sown")

    once, again = (purge_facts(hands=by(alice), fact_ids=[fact.pk]) for _ in range(2))

    assert (once.done, once.unchanged) == (1, 0)
    assert (again.done, again.unchanged, dict(again.refused)) == (0, 0, {GONE: 1})
