"""The seatbelt: scoped models answer inside `acting_as` only, by whatever method they are asked."""

import pytest
from django.apps import apps
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


CALLS = [
    pytest.param(model, name, id=f"{model.__name__}.{name}")
    for model in SCOPED
    for name in public_methods(model)
]


def test_every_noun_of_a_person_is_scoped():
    of_memory = {Credential, Fact, FactUsage, FactHistory, Turn, Embedding, ScopeCount}
    assert of_memory | {Document, Member, WatchedFolder, WatchedFile} == set(SCOPED)


def test_methods_of_ours_and_of_django_are_all_among_the_calls():
    called = {(call.values[0], call.values[1]) for call in CALLS}

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


@pytest.mark.parametrize(("model", "name"), CALLS)
def test_unscoped_call_is_refused(model, name):
    method = getattr(model.objects, name, None) or getattr(model.objects.get_queryset(), name)

    with pytest.raises(ScopeError, match="acting_as"):
        method()


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


@pytest.mark.parametrize("model", SCOPED)
def test_scoped_model_answers_for_the_principals_own_rows_only(two_people, model):
    alice, bob = two_people

    owners = {}
    for user in (alice, bob):
        with acting_as(Principal(user)):
            owners[user] = set(model.objects.values_list("pk", flat=True))

    assert owners[alice]
    assert owners[bob]
    assert owners[alice].isdisjoint(owners[bob])


@pytest.mark.parametrize("model", SCOPED)
def test_update_and_delete_reach_own_rows_only(two_people, model):
    alice, _ = two_people
    with across_owners():
        total = model.objects.count()

    with acting_as(Principal(alice)):
        own = model.objects.count()
        model.objects.all().delete()

    with across_owners():
        assert model.objects.count() == total - own


@pytest.mark.parametrize("model", SCOPED)
def test_across_owners_answers_for_everybody(two_people, model):
    counts = []
    for user in two_people:
        with acting_as(Principal(user)):
            counts.append(model.objects.count())

    with across_owners():
        assert model.objects.count() == sum(counts)


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
