"""Remembering, correcting, forgetting, restoring and purging."""

import pytest
from django.core.exceptions import PermissionDenied

from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput, Retryable
from memory.models import Embedding, Fact, FactHistory, FactUsage, Principal, Scope, User
from memory.services.facts import (
    TwinExists,
    correct_fact,
    forget_fact,
    purge_fact,
    remember_fact,
    restore_fact,
    undo_correction,
)
from tests.fixtures import remember


def test_fact_is_the_same_row_when_said_again_in_other_case_and_spacing(alice, as_alice):
    first = remember(alice, "Tamsin is allergic to walnuts")

    again = [
        remember(alice, text)
        for text in ("TAMSIN is allergic to walnuts", " Tamsin  is allergic to walnuts. ")
    ]

    assert {each.pk for each in again} == {first.pk}
    assert FactUsage.objects.get(pk=first.pk).repeat_count == 2


def test_fact_of_another_scope_is_its_own_row(alice, bob):
    assert remember(alice, "I live in Leeds").pk != remember(bob, "I live in Leeds").pk


def test_fact_can_be_remembered_again_after_it_was_purged(alice, as_alice):
    first = remember(alice, "The bin day is Tuesday")
    purge_fact(principal=as_alice, fact_id=first.pk)

    second = remember(alice, "The bin day is Tuesday")

    assert second.pk != first.pk
    assert not FactHistory.objects.of(first.pk).exists()


def test_secret_is_masked_in_every_field(alice, as_alice):
    key = "sk-proj-abcdefghijklmnop1234567890"

    fact = remember(
        alice, f"The key is {key}", why=key, value=key, tags=(key,), entity=key, key=key
    )

    stored = f"{fact.text} {fact.why} {fact.value} {fact.tags} {fact.entity} {fact.key}"
    assert key not in stored
    assert "secret" in stored


def test_unknown_category_is_refused_and_nothing_is_stored(alice, as_alice):
    with pytest.raises(InvalidInput, match="Unknown category"):
        remember(alice, "Something", category="nonsense")

    assert Fact.objects.count() == 0


def test_correction_keeps_the_old_wording_in_history_and_drops_the_vector(alice, as_alice, vectors):
    fact = remember(alice, "The server has 32 GB")
    vectors()

    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "The server has 64 GB"})

    texts = [state.text for state in FactHistory.objects.of(fact.pk)]
    assert texts == ["The server has 32 GB", "The server has 64 GB"]
    assert not Embedding.objects.of_fact(fact.pk).exists()


def test_correction_to_what_another_fact_says_is_refused_with_the_twin_named(alice, as_alice):
    twin = remember(alice, "The server has 64 GB")
    fact = remember(alice, "The server has 32 GB")

    with pytest.raises(TwinExists, match=str(twin.pk)):
        correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "the server has 64 gb."})


def test_correction_of_importance_makes_it_the_persons(alice, as_alice):
    fact = remember(alice, "The server has 32 GB")

    fact = correct_fact(principal=as_alice, fact_id=fact.pk, changes={"importance": 9})

    assert (fact.importance, fact.importance_source) == (9, "user")


def test_undo_puts_the_wording_before_the_last_correction_back(alice, as_alice):
    fact = remember(alice, "The server has 32 GB", entity="server")
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "Wrong", "entity": "x"})

    fact = undo_correction(principal=as_alice, fact_id=fact.pk)

    assert (fact.text, fact.entity) == ("The server has 32 GB", "server")


def test_forgotten_fact_is_archived_with_its_reason_and_out_of_the_vector_search(
    alice, as_alice, vectors
):
    fact = remember(alice, "The server has 32 GB")
    vectors()

    forget_fact(principal=as_alice, fact_id=fact.pk, reason="sold")

    fact = Fact.objects.get(pk=fact.pk)
    assert (fact.status, fact.status_reason) == ("archived", "sold")
    assert not Embedding.objects.get(fact=fact).is_searchable


def test_restored_fact_is_active_and_searchable(alice, as_alice, vectors):
    fact = remember(alice, "The server has 32 GB")
    vectors()
    forget_fact(principal=as_alice, fact_id=fact.pk)

    fact = restore_fact(principal=as_alice, fact_id=fact.pk)

    assert fact.is_active
    assert Embedding.objects.get(fact=fact).is_searchable


def test_restored_fact_merges_into_its_active_twin(alice, as_alice):
    fact = remember(alice, "The server has 32 GB", tags=("old",), importance=8)
    forget_fact(principal=as_alice, fact_id=fact.pk)
    twin = remember(alice, "The server has 32 GB", tags=("new",))

    restored = restore_fact(principal=as_alice, fact_id=fact.pk)

    assert restored.pk == twin.pk
    assert set(restored.tags) == {"old", "new"}
    assert restored.importance == 8
    assert Fact.objects.active().count() == 1


def test_superseding_fact_closes_the_old_one(alice, as_alice):
    old = remember(alice, "The rent is 1,300")
    scope = Scope.objects.for_user(alice)

    new = remember_fact(
        principal=as_alice,
        scope=scope,
        draft=FactDraft(text="The rent is 1,450"),
        supersedes=old.pk,
    ).fact

    old = Fact.objects.get(pk=old.pk)
    assert (old.status, old.superseded_by_id) == ("superseded", new.pk)


def test_global_fact_is_changed_by_staff_only(alice, as_alice, staff):
    fact = remember(staff, "The office closes at six", scope=Scope.objects.for_everyone())

    with pytest.raises(PermissionDenied):
        correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "It never closes"})


@pytest.mark.parametrize("change", [correct_fact, forget_fact, restore_fact, purge_fact])
def test_fact_of_another_user_does_not_exist_for_any_service(
    change, bob: User, as_alice: Principal
):
    fact = remember(bob, "Bob's own")
    changes = {"changes": {"text": "stolen"}} if change is correct_fact else {}

    with pytest.raises(Fact.DoesNotExist):
        change(principal=as_alice, fact_id=fact.pk, **changes)


def test_write_to_a_scope_that_is_not_open_ends_with_an_error_and_never_hangs(bob, as_alice):
    scope = Scope.objects.for_user(bob)

    with pytest.raises(Retryable):
        remember_fact(principal=as_alice, scope=scope, draft=FactDraft(text="Not mine"))
