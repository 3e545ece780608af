"""Moving a memory decides anew who reads it, and tells the new readers nothing of its past."""

import pytest
from django.core.exceptions import PermissionDenied

from memory.domain.errors import InvalidInput
from memory.models import Fact, FactHistory, Principal, Scope, acting_as
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.bulk import move_facts
from memory.services.facts import TwinExists, correct_fact
from memory.services.moving import SAME_KEY, move_fact
from memory.services.undoing import undo_change
from tests.fixtures import agent_of, remember
from tests.memory.services.claiming import live


@pytest.fixture
def clerk(staff):
    return Principal(staff, may_write_global=True)


@pytest.fixture
def everybody(db):
    return Scope.objects.for_everyone()


def move(principal, fact, scope):
    with acting_as(principal):
        return move_fact(principal=principal, fact_id=fact.pk, scope=scope)


def found(user, words):
    with acting_as(Principal(user)) as principal:
        answer = recall(RecallQuery(text=words, mode="keyword"), principal.recall_scopes())
    return [result.row.text for result in answer.results]


def test_memory_is_found_by_its_new_readers_and_not_its_past(clerk, staff, alice, everybody):
    fact = remember(staff, "The raise of Tomasz is secret")
    with acting_as(clerk):
        correct_fact(principal=clerk, fact_id=fact.pk, changes={"text": "We meet on Mondays"})

    move(clerk, fact, everybody)

    assert found(alice, "Mondays") == ["We meet on Mondays"]
    with acting_as(Principal(alice)) as reader:
        states = [each.text for each in FactHistory.objects.visible_to(reader).of(fact.pk)]
    assert states == ["We meet on Mondays"]


def test_memory_that_left_a_scope_is_not_found_there(clerk, staff, everybody, alice):
    fact = remember(staff, "The door code is on the board", scope=everybody)

    move(clerk, fact, Scope.objects.for_user(staff))

    assert found(alice, "door") == []
    assert found(staff, "door") == ["The door code is on the board"]


def test_memory_does_not_move_into_everybodys_scope_by_who_may_not_write_it(alice, fact, everybody):
    with pytest.raises(PermissionDenied):
        move(Principal(alice), fact, everybody)


def test_memory_does_not_move_into_a_scope_out_of_reach(alice, bob, fact):
    with pytest.raises(Scope.DoesNotExist):
        move(Principal(alice), fact, Scope.objects.for_user(bob))


def test_memory_does_not_move_beside_its_twin(alice):
    quill = Scope.objects.for_agent(agent_of(alice, "quill"))
    remember(alice, "We meet on Mondays", scope=quill)
    fact = remember(alice, "We meet on Mondays")

    with pytest.raises(TwinExists):
        move(Principal(alice), fact, quill)


def test_undo_of_a_move_takes_the_memory_back_to_its_readers(clerk, staff, alice, everybody):
    fact = remember(staff, "We meet on Mondays")
    move(clerk, fact, everybody)

    with acting_as(clerk):
        undo_change(principal=clerk, fact_id=fact.pk)

    assert found(alice, "Mondays") == []
    assert found(staff, "Mondays") == ["We meet on Mondays"]


def test_undo_of_a_move_is_refused_to_who_may_not_write_where_it_was(clerk, staff, everybody):
    fact = remember(staff, "We meet on Mondays", scope=everybody)
    move(clerk, fact, Scope.objects.for_user(staff))

    with acting_as(Principal(staff)) as member, pytest.raises(PermissionDenied):
        undo_change(principal=member, fact_id=fact.pk)

    assert found(staff, "Mondays") == ["We meet on Mondays"]


def test_undo_of_a_move_is_refused_beside_a_twin(alice, fact):
    own = fact.scope
    move(Principal(alice), fact, Scope.objects.for_agent(agent_of(alice, "quill")))
    remember(alice, fact.text, scope=own)

    with acting_as(Principal(alice)) as principal, pytest.raises(TwinExists):
        undo_change(principal=principal, fact_id=fact.pk)


def test_memory_does_not_move_beside_another_of_the_same_client_key(alice):
    scope = Scope.objects.for_agent(agent_of(alice, "quill"))
    with acting_as(Principal(alice)) as principal:
        moving = remember(alice, "Tea at four", scope=scope, idempotency_key="note-7")
        other = remember(alice, "Tea at five", idempotency_key="note-7")
        elsewhere = remember(alice, "No tea", scope=scope)

        with pytest.raises(InvalidInput, match="same idempotency_key"):
            move_fact(principal=principal, fact_id=moving.pk, scope=other.scope)
        moved = move_facts(
            hands=lambda _: principal, fact_ids=[moving.pk, elsewhere.pk], scope=other.scope
        )

    assert (moved.done, list(moved.refused)) == (1, [SAME_KEY])


def moved(principal, facts, scope, *, is_bulk):
    """These, moved one by one or at once."""
    with acting_as(principal):
        if is_bulk:
            ids = [fact.pk for fact in facts]
            move_facts(hands=lambda _: principal, fact_ids=ids, scope=scope)
        else:
            for fact in facts:
                move_fact(principal=principal, fact_id=fact.pk, scope=scope)
        return [Fact.objects.get(pk=fact.pk) for fact in facts]


@pytest.mark.parametrize("is_bulk", [False, True])
@pytest.mark.parametrize("moves_newer", [False, True])
def test_of_the_moved_value_and_the_one_there_the_newest_holds(alice, is_bulk, moves_newer):
    scope = Scope.objects.for_agent(agent_of(alice, "quill"))
    days = (1, 0) if moves_newer else (0, 1)
    moving = live(alice, "York", days=days[0], scope=scope)
    other = live(alice, "Leeds", days=days[1])

    (moving,) = moved(Principal(alice), [moving], other.scope, is_bulk=is_bulk)

    with acting_as(Principal(alice)):
        other.refresh_from_db()
        old, new = (other, moving) if moves_newer else (moving, other)
        assert (new.status, old.status, old.superseded_by_id) == ("active", "superseded", new.pk)
        assert moving.scope_id == other.scope_id
        assert not Fact.objects.filter(attributes__has_key="contradiction_flag").exists()


@pytest.mark.parametrize("is_bulk", [False, True])
def test_captured_value_that_moves_beside_a_persons_own_is_marked_and_so_is_that(alice, is_bulk):
    scope = Scope.objects.for_agent(agent_of(alice, "quill"))
    moving = live(alice, "York", days=1, scope=scope, source="conversation")
    other = live(alice, "Leeds", source="person")

    moved(Principal(alice), [moving], other.scope, is_bulk=is_bulk)

    with acting_as(Principal(alice)):
        marks = dict(Fact.objects.active().values_list("pk", "attributes__x-contradicts"))
    assert marks == {moving.pk: [str(other.pk)], other.pk: [str(moving.pk)]}


@pytest.mark.parametrize("is_bulk", [False, True])
def test_moved_memory_leaves_its_disputes_behind_on_both_sides(alice, is_bulk):
    quill = Scope.objects.for_agent(agent_of(alice, "quill"))
    first = remember(alice, "I like coriander", kind="impression", confidence=0.9)
    second = remember(alice, "I really don't like coriander", kind="impression")

    moved(Principal(alice), [second], quill, is_bulk=is_bulk)

    with acting_as(Principal(alice)):
        rows = Fact.objects.values_list("pk", "attributes", "confidence")
        assert {(pk, str(told), sure) for pk, told, sure in rows} == {
            (first.pk, "{}", 0.9), (second.pk, "{}", 1.0),
        }  # fmt: skip


def test_two_that_dispute_each_other_and_move_together_still_do(alice):
    quill = Scope.objects.for_agent(agent_of(alice, "quill"))
    first = live(alice, "Leeds", attributes={"allow_coexistence": True})
    second = live(alice, "York", days=1)

    both = moved(Principal(alice), [first, second], quill, is_bulk=True)

    marks = {fact.pk: fact.attributes["x-contradicts"] for fact in both}
    assert marks == {first.pk: [str(second.pk)], second.pk: [str(first.pk)]}
    assert {fact.status for fact in both} == {"active"}
