"""Remembering, correcting, forgetting, restoring and purging."""

import pytest
from django.core.exceptions import PermissionDenied

from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput, Retryable
from memory.domain.fields import MAX_TAGS
from memory.models import (
    Embedding,
    Fact,
    FactHistory,
    FactUsage,
    Principal,
    Scope,
    User,
    acting_as,
)
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.facts import (
    TwinExists,
    correct_fact,
    forget_fact,
    purge_fact,
    remember_fact,
    restore_fact,
)
from memory.services.undoing import undo_change
from tests.fixtures import agent_of, remember


def replace(principal, old, text, *, scope=None):
    return remember_fact(
        principal=principal,
        scope=scope or old.scope,
        draft=FactDraft(text=text),
        supersedes=old.pk,
    ).fact


def state(fact):
    return Fact.objects.values("text", "status", "superseded_at", "superseded_by").get(pk=fact.pk)


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

    fact = undo_change(principal=as_alice, fact_id=fact.pk)

    assert (fact.text, fact.entity) == ("The server has 32 GB", "server")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("why", "The disk is full"),
        ("kind", "rule"),
        ("category", "decision"),
        ("shelf", "core"),
        ("tags", ["a"]),
        ("entity", "server"),
        ("key", "memory"),
        ("value", "64 GB"),
        ("importance", 9),
        ("decay_class", "durable"),
        ("pinned", True),
    ],
)
def test_each_part_that_a_person_changes_is_in_the_history_and_is_undone(
    alice, as_alice, name, value
):
    fact = remember(alice, "The server has 32 GB", tags=("a", "b"))
    was = getattr(fact, name)
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={name: value})

    states = [getattr(state, name) for state in FactHistory.objects.of(fact.pk)]
    undone = undo_change(principal=as_alice, fact_id=fact.pk)

    assert states == [was, value]
    assert getattr(Fact.objects.get(pk=undone.pk), name) == was


def test_undo_of_a_label_leaves_the_vector_of_the_words(alice, as_alice, vectors):
    fact = remember(alice, "The server has 32 GB")
    vectors()
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"tags": ["a"]})

    undo_change(principal=as_alice, fact_id=fact.pk)

    assert Embedding.objects.of_fact(fact.pk).exists()


def test_undo_of_a_state_that_is_not_the_last_any_more_changes_nothing(alice, as_alice):
    fact = remember(alice, "The server has 32 GB")
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "The server has 64 GB"})
    seen = FactHistory.objects.of(fact.pk).last().pk
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "The server has 128 GB"})

    with pytest.raises(InvalidInput, match="changed again since"):
        undo_change(principal=as_alice, fact_id=fact.pk, expected=seen)

    assert state(fact)["text"] == "The server has 128 GB"
    assert FactHistory.objects.of(fact.pk).count() == 3


def test_undo_of_the_state_that_is_expected_puts_the_one_before_back(alice, as_alice):
    fact = remember(alice, "The server has 32 GB")
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"text": "The server has 64 GB"})
    seen = FactHistory.objects.of(fact.pk).last().pk

    undo_change(principal=as_alice, fact_id=fact.pk, expected=seen)

    assert state(fact)["text"] == "The server has 32 GB"


def test_undo_of_a_forgetting_restores_and_undo_of_that_forgets(alice, as_alice):
    fact = remember(alice, "The server has 32 GB")
    forget_fact(principal=as_alice, fact_id=fact.pk)

    statuses = [undo_change(principal=as_alice, fact_id=fact.pk).status for _ in range(2)]

    assert statuses == ["active", "archived"]


def test_undo_of_the_restoring_of_a_replaced_fact_is_refused_with_the_remedy(alice, as_alice):
    old = remember(alice, "The rent is 1,300")
    new = replace(as_alice, old, "The rent is 1,450")
    forget_fact(principal=as_alice, fact_id=new.pk)
    undo_change(principal=as_alice, fact_id=old.pk)
    restored = state(old)

    with pytest.raises(InvalidInput, match="Forget it instead"):
        undo_change(principal=as_alice, fact_id=old.pk)

    assert restored["status"] == "active"
    assert state(old) == restored


def test_undo_of_the_forgetting_of_a_replaced_fact_is_refused_with_the_remedy(alice, as_alice):
    old = remember(alice, "The rent is 1,300")
    replace(as_alice, old, "The rent is 1,450")
    forget_fact(principal=as_alice, fact_id=old.pk)

    with pytest.raises(InvalidInput, match="Restore it"):
        undo_change(principal=as_alice, fact_id=old.pk)


@pytest.mark.parametrize(
    ("first", "changes"),
    [
        ({"key": "password"}, {"value": "hunter2abc9"}),
        ({"value": "hunter2abc9"}, {"key": "password"}),
    ],
    ids=["value", "key"],
)
def test_correction_that_makes_a_secret_of_key_and_value_masks_it(alice, as_alice, first, changes):
    fact = remember(alice, "The wifi", **first)

    fact = correct_fact(principal=as_alice, fact_id=fact.pk, changes=changes)

    assert (fact.key, fact.value) == ("password", "[secret: password]")
    assert "hunter2" not in FactHistory.objects.of(fact.pk).last().value


def test_reason_of_a_forgetting_is_masked(alice, as_alice):
    fact = remember(alice, "The server has 32 GB")

    fact = forget_fact(
        principal=as_alice, fact_id=fact.pk, reason="because my password is hunter2!x9"
    )

    assert fact.status_reason == "because my password is [secret: password]"


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


def test_tags_of_a_merged_fact_are_found_and_bounded(alice, as_alice):
    fact = remember(alice, "The loft is damp", tags=tuple(f"a{n}" for n in range(MAX_TAGS)))
    forget_fact(principal=as_alice, fact_id=fact.pk)
    twin = remember(alice, "The loft is damp", tags=("zebra",))

    restore_fact(principal=as_alice, fact_id=fact.pk)

    tags = Fact.objects.get(pk=twin.pk).tags
    assert tags == ["zebra", *(f"a{n}" for n in range(MAX_TAGS - 1))]
    for tag in ("zebra", "a7"):
        found = recall(RecallQuery(text=tag, mode="keyword"), as_alice.recall_scopes())
        assert [each.row.pk for each in found.results] == [twin.pk]


def test_superseding_fact_closes_the_old_one(alice, as_alice):
    old = remember(alice, "The rent is 1,300")

    new = replace(as_alice, old, "The rent is 1,450")

    old = Fact.objects.get(pk=old.pk)
    assert (old.status, old.superseded_by_id) == ("superseded", new.pk)


@pytest.mark.parametrize("end", ["superseded", "archived"])
def test_superseding_of_a_fact_that_is_not_active_is_refused_and_keeps_how_it_ended(
    alice, as_alice, end
):
    old = remember(alice, "The rent is 1,300")
    if end == "superseded":
        replace(as_alice, old, "The rent is 1,450")
    else:
        forget_fact(principal=as_alice, fact_id=old.pk)
    before = state(old)

    with pytest.raises(InvalidInput, match=f"is {end}; only an active one") as refusal:
        replace(as_alice, old, "The rent is 1,500")

    assert refusal.value.field == "supersedes"
    assert state(old) == before
    assert not Fact.objects.filter(text="The rent is 1,500").exists()


def test_superseding_of_a_fact_in_another_scope_is_refused_and_stores_nothing(alice):
    agents = Scope.objects.for_agent(agent_of(alice, "quill"))
    own = remember(alice, "The rent is 1,300")

    with acting_as(Principal(alice)) as principal:
        with pytest.raises(InvalidInput, match="in its own scope only: user") as refusal:
            replace(principal, own, "The rent is 1,450", scope=agents)

        assert refusal.value.field == "supersedes"
        assert state(own)["status"] == "active"
        assert Fact.objects.count() == 1


def test_superseding_of_a_global_fact_is_for_staff_only(alice, staff, as_alice):
    fact = remember(staff, "The office closes at six", scope=Scope.objects.for_everyone())

    for scope in (None, Scope.objects.for_user(alice)):
        with pytest.raises(PermissionDenied):
            replace(as_alice, fact, "It never closes", scope=scope)

    assert state(fact)["status"] == "active"
    assert Fact.objects.count() == 1


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


YEARS = {"valid_from": "2026-05-01T00:00:00Z", "valid_until": "2025-05-01T00:00:00Z"}


def test_time_that_ends_before_it_begins_is_refused(api, alice):
    kept = api("post", "facts", {"text": "The lease runs", "valid_from": YEARS["valid_from"]})
    address = f"facts/{kept.json()['id']}"

    answers = [
        api("post", "facts", {"text": "The lease ran", **YEARS}),
        api("patch", address, YEARS),
        api("patch", address, {"valid_until": YEARS["valid_until"]}),
    ]

    for answer in answers:
        assert answer.status_code in {400, 422}
        assert "valid_until is before valid_from" in answer.content.decode()
    assert len(api("get", "facts").json()["facts"]) == 1
    for change in ({"valid_until": YEARS["valid_from"]}, {"valid_from": None}):
        assert api("patch", address, change).status_code == 200
