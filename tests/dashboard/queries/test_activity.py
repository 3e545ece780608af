"""The latest changes of memories, however many passages were read since."""

from importlib import import_module

import pytest
from django.db import connection

from dashboard.queries.history import recent_changes
from ingest.domain.chunking import Chunk
from ingest.services.passages import add_passages
from memory.models import Fact, FactHistory, Principal, User
from memory.services.facts import forget_fact
from tests.fixtures import add_document

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
