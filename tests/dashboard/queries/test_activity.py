"""The latest changes of memories, however many passages were read since."""

from importlib import import_module

import pytest
from django.db import connection
from django.test import Client

from dashboard.queries import activity
from dashboard.queries.activity import recent_doings
from dashboard.queries.history import recent_changes
from ingest.domain.chunking import Chunk
from ingest.services.passages import add_passages
from memory.models import Fact, FactHistory, Principal, User
from memory.services.actors import changes_by
from memory.services.facts import correct_fact, forget_fact, withdraw_fact
from tests.fixtures import add_document, remember

pytestmark = pytest.mark.django_db
FILL = import_module("memory.migrations.0014_fill_history_of_documents").FILL
LONG = 2_000


@pytest.fixture
def _read_since(alice: User, as_alice: Principal, fact: Fact) -> None:
    document = add_document(alice, "survey.md")
    chunks = [
        Chunk(
            ordinal=number, text=f"Tree {number} was looked at.", page=None, heading="", kind="text"
        )
        for number in range(LONG)
    ]
    add_passages(document, chunks)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_fact, memory_facthistory")


def seen_by_plan(plan: list[tuple[str]]) -> int:
    """How many states of facts the database looked at."""
    scans = [line for (line,) in plan if "on memory_facthistory " in line]
    return max(int(float(line.split("rows=")[-1].split()[0])) for line in scans)


@pytest.mark.usefixtures("_read_since")
def test_passages_are_no_changes(as_alice: Principal, fact: Fact) -> None:
    forget_fact(principal=as_alice, fact_id=fact.pk)

    told = recent_changes(as_alice, 8)

    assert [(change.verb, change.fact.pk) for change in told] == [
        ("forgot", fact.pk),
        ("kept", fact.pk),
    ]


@pytest.mark.usefixtures("_read_since")
def test_changes_are_found_without_a_look_at_each_passage(as_alice: Principal) -> None:
    asked: list[tuple[str, object]] = []

    def note(execute, sql, params, many, context):  # type: ignore[no-untyped-def]  # Django's hook
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        recent_changes(as_alice, 8)
    (sql, params), *_ = [each for each in asked if "memory_facthistory" in each[0]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS OFF) {sql}", params)
        plan = cursor.fetchall()

    assert "history_of_memories" in str(plan)
    assert seen_by_plan(plan) < LONG / 10


@pytest.mark.usefixtures("_read_since")
def test_states_noted_by_an_earlier_version_learn_their_document() -> None:
    passages = FactHistory.objects.filter(pgh_obj__document__isnull=False)
    passages.update(document=None)

    with connection.cursor() as cursor:
        cursor.execute(FILL, [0, 2**62])

    assert passages.filter(document=None).count() == 0
    assert FactHistory.objects.filter(document=None).count() == 1


def refile(principal: Principal, *facts: Fact) -> None:
    with changes_by(principal, "classified"):
        for fact in facts:
            Fact.objects.filter(pk=fact.pk).update(kind="rule")


def told(principal: Principal, limit: int = 8) -> list[tuple[str, str, int, bool]]:
    return [
        (doing.first.actor, doing.first.verb, len(doing.changes), doing.is_cut)
        for doing in recent_doings(principal, limit)
    ]


def some(user: User, number: int) -> list[Fact]:
    return [remember(user, f"Locker {each} is taken.") for each in range(number)]


def test_what_the_classifier_did_in_a_row_is_one_doing_and_what_people_did_is_not(
    alice: User, as_alice: Principal
) -> None:
    first, *others = some(alice, 12)
    refile(as_alice, first)
    correct_fact(principal=as_alice, fact_id=first.pk, changes={"tags": ["a"]})
    refile(as_alice, *others)
    for fact in others[:2]:
        withdraw_fact(principal=as_alice, fact_id=fact.pk, reason="only weak clues")

    assert told(as_alice) == [
        ("The classifier", "withdrew", 2, False),
        ("The classifier", "refiled", 11, False),
        ("You", "retagged", 1, False),
        ("The classifier", "refiled", 1, False),
        *[("You", "kept", 1, False)] * 4,
    ]


@pytest.mark.parametrize("number", [1, 8, 9, 30])
def test_list_is_full_however_many_rows_are_one(
    alice: User, as_alice: Principal, number: int
) -> None:
    refile(as_alice, *some(alice, number))

    doings = told(as_alice)

    assert doings[0] == ("The classifier", "refiled", number, False)
    assert len(doings) == min(8, number + 1)


def test_more_than_are_read_are_told_as_that_many_or_more(
    alice: User, as_alice: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "MOST_READ", 10)
    refile(as_alice, *some(alice, 12))

    assert told(as_alice) == [("The classifier", "refiled", 10, True)]


def test_folded_row_opens_to_every_change_with_its_undo(
    alice: User, as_alice: Principal, client: Client
) -> None:
    client.force_login(alice)
    facts = some(alice, 3)
    refile(as_alice, *facts)
    forget_fact(principal=as_alice, fact_id=facts[0].pk)

    shown = client.get("/").content.decode()

    fold = shown.split("<details data-fold>")[1].split("</details>")[0]
    assert "3 memories</span>" in fold
    assert all(fold.count(f'href="{fact.get_absolute_url()}"') == 1 for fact in facts)
    # The one that was forgotten since is no more the last change of its memory.
    assert fold.count("/undo/?state=") == 2
