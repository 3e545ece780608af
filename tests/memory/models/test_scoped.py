"""The seatbelt: scoped models answer inside `acting_as` only, by whatever method they are asked."""

import re

import pytest
from django.apps import apps
from django.db import transaction
from django_scopes import ScopeError

from ingest.models import Document, Member, WatchedFile, WatchedFolder
from memory.models import (
    Conversation,
    Credential,
    Embedding,
    Fact,
    FactHistory,
    FactUsage,
    Principal,
    Scope,
    ScopeCount,
    Turn,
    User,
    across_owners,
    acting_as,
    within_scopes,
)
from memory.services.counts import recount_all
from tests.fixtures import add_document, add_turn, remember

SCOPED = [
    model
    for model in apps.get_models()
    if type(model._default_manager).__qualname__.startswith("scoped_manager.")
]
HARMLESS = {"none", "as_manager"}


def public_methods(model):
    queryset_class = model.objects._queryset_class
    return sorted(
        name
        for name in dir(queryset_class)
        if not name.startswith("_")
        and name not in HARMLESS
        and callable(getattr(queryset_class, name))
    )


def test_every_noun_of_a_person_is_scoped():
    of_memory = {Credential, Fact, FactUsage, FactHistory, Turn, Embedding, ScopeCount}
    assert of_memory | {Document, Member, WatchedFolder, WatchedFile} == set(SCOPED)


def test_methods_of_ours_and_of_django_are_all_among_the_calls():
    called = {(model, name) for model in SCOPED for name in public_methods(model)}

    assert {
        (Fact, "visible_to"),
        (FactUsage, "note_recall"),
        (Document, "take"),
        (Fact, "exists"),
        (Fact, "create"),
        (Fact, "bulk_create"),
        (Fact, "in_bulk"),
        (Fact, "iterator"),
        (Fact, "aget"),
        (Fact, "abulk_create"),
        (Fact, "raw"),
        (Fact, "using"),
    } <= called


# One test for the seventy methods of a model, which names each that answers.
@pytest.mark.parametrize("model", SCOPED)
def test_unscoped_call_is_refused(model):
    told = {}
    for name in public_methods(model):
        method = getattr(model.objects, name, None) or getattr(model.objects.get_queryset(), name)
        try:
            told[name] = f"answers {method()!r}"
        except Exception as error:  # also another one than is wanted belongs to its method
            told[name] = f"{type(error).__name__}: {error}"

    wanted = re.compile("ScopeError: .*acting_as")
    assert {name: words for name, words in told.items() if not wanted.match(words)} == {}


@pytest.mark.parametrize("model", SCOPED)
@pytest.mark.parametrize(
    "evaluate",
    [
        list,
        len,
        bool,
        lambda rows: rows[0],
        lambda rows: list(rows | rows),
        lambda rows: User.objects.filter(pk__in=rows).count(),
    ],
    ids=["list", "len", "bool", "index", "union", "subquery"],
)
def test_unscoped_lazy_query_is_refused_once_it_is_evaluated(db, model, evaluate):
    rows = model.objects.get_queryset()

    with pytest.raises(ScopeError):
        evaluate(rows)


def test_unscoped_related_rows_are_refused(alice):
    turn = add_turn(alice, "Hello")
    talks = Conversation.objects.filter(owner=alice)

    with pytest.raises(ScopeError):
        list(turn.conversation.turns.all())
    with pytest.raises(ScopeError):
        list(talks.prefetch_related("turns"))


@pytest.mark.parametrize("nothing", [None, [], ()])
def test_scope_without_a_name_is_refused(nothing):
    with pytest.raises(ScopeError), within_scopes(nothing):
        pass


@pytest.fixture
def two_people(alice, bob, vectors):
    for user in (alice, bob):
        add_turn(user, f"Hello there, {user.email}")
        fact = remember(user, f"Fact of {user.email}")
        document = add_document(user, f"{user.email}.txt")
        with acting_as(Principal(user)):
            own = {"scope": document.scope}
            Member.objects.create(container=document, ordinal=0, path="a.txt", **own)
            folder = WatchedFolder.objects.create(user=user, path=f"/{user.email}", **own)
            WatchedFile.objects.create(
                folder=folder, path="a.txt", size_bytes=1, changed_ns=1, **own
            )
            FactUsage.objects.get_or_create(pk=fact.pk)
            sealed = {"ciphertext": b"sealed", "key_id": "none", "digest": b"digest"}
            own = {"scope": Scope.objects.for_user(user)}
            Credential.objects.create(service="mail", kind="password", **sealed, **own)
    vectors()
    recount_all()
    return alice, bob


# The rows of two people take longer to make than to ask: once for all models.
def test_scoped_models_answer_for_the_principals_own_rows_only(two_people):
    owners = []
    for user in two_people:
        with acting_as(Principal(user)):
            owners.append({each: set(each.objects.values_list("pk", flat=True)) for each in SCOPED})

    of_alice, of_bob = owners
    assert [each for each in SCOPED if not of_alice[each] or not of_bob[each]] == []
    assert [each for each in SCOPED if of_alice[each] & of_bob[each]] == []


def test_update_and_delete_reach_own_rows_only(two_people):
    alice, _ = two_people
    left = {}
    for model in SCOPED:
        with across_owners():
            total = model.objects.count()
        savepoint = transaction.savepoint()
        with acting_as(Principal(alice)):
            own = model.objects.count()
            model.objects.all().delete()
        with across_owners():
            left[model] = (model.objects.count(), total - own)
        transaction.savepoint_rollback(savepoint)

    assert {model: found for model, found in left.items() if found[0] != found[1]} == {}


def test_across_owners_answers_for_everybody(two_people):
    counts = []
    for user in two_people:
        with acting_as(Principal(user)):
            counts.append([model.objects.count() for model in SCOPED])

    with across_owners():
        everybody = [model.objects.count() for model in SCOPED]
    assert dict(zip(SCOPED, everybody, strict=True)) == dict(
        zip(SCOPED, map(sum, zip(*counts, strict=True)), strict=True)
    )


def test_query_made_inside_keeps_its_scopes_when_evaluated_outside(two_people):
    alice, bob = two_people
    with acting_as(Principal(alice)):
        rows = Fact.objects.all()

    assert {fact.text for fact in rows} == {f"Fact of {alice.email}"}
    with acting_as(Principal(bob)):
        assert {fact.text for fact in rows.filter(kind="fact")} == {f"Fact of {alice.email}"}


def test_scope_ends_with_its_block_also_after_an_error(alice):
    with pytest.raises(ZeroDivisionError), acting_as(Principal(alice)):
        raise ZeroDivisionError

    with pytest.raises(ScopeError):
        Fact.objects.count()
