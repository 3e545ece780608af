"""How far a document is: a percentage that only rises, and a time that has evidence."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine

from dashboard.queries.document_progress import progress_of, time_left
from dashboard.queries.documents import under_way
from ingest.models import Document
from memory.models import Embedding, EmbeddingModel, Fact, JobRun, Principal, User, acting_as
from tests.e2e.furnishing import add_passage
from tests.fixtures import add_document

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def document(**columns: Any) -> Document:
    return Document(**{"status": "queued", "name": "a.pdf", **columns})


def way(total: int) -> list[Document]:
    """All that a document of so many pages and passages goes through."""
    reading = [{"pages_total": None}] + [
        {"pages_total": total, "pages_done": done} for done in range(total + 1)
    ]
    embedding = [{"passages": total, "passages_embedded": done} for done in range(total + 1)]
    return [
        document(),
        *(document(status="parsing", **each) for each in reading),
        *(document(status="embedding", pages_total=total, **each) for each in embedding),
        document(status="done", passages=total, passages_embedded=total),
    ]


@pytest.mark.parametrize("total", [1, 3, 7, 2_000])
def test_percent_never_goes_back_on_the_way_and_ends_at_a_hundred(total: int) -> None:
    percents = [progress_of(each).percent or 0 for each in way(total)]

    assert all(before <= after for before, after in pairwise(percents))
    assert (percents[0], percents[-1]) == (0, 100)


def test_more_done_than_foreseen_is_no_more_than_all() -> None:
    counted = document(status="parsing", pages_total=2, pages_done=5)

    assert progress_of(counted).percent == 60


@pytest.mark.parametrize("status", ["failed", "canceled"])
def test_what_ended_without_success_has_no_percent(status: str) -> None:
    assert progress_of(document(status=status)).percent is None


def started(seconds_ago: float, **columns: Any) -> Document:
    counted = document(**columns)
    vars(counted)["stage_began_at"] = NOW - timedelta(seconds=seconds_ago)
    return counted


@pytest.mark.parametrize(
    ("seconds", "done", "left"),
    [(20, 5, 380), (20, 50, 20), (20, 2, None), (1, 50, None), (20, 100, None)],
)
def test_time_left_follows_the_pace_and_waits_for_evidence(
    seconds: float, done: int, left: float | None
) -> None:
    reading = started(seconds, status="parsing", pages_total=100, pages_done=done)
    with time_machine.travel(NOW, tick=False):
        told = progress_of(reading)

    assert told.left == (timedelta(seconds=left) if left else None)
    assert bool(told.left_words) is bool(left)


@pytest.mark.parametrize(
    "columns", [{"retry_at": NOW}, {"cancel_requested": True}, {"pages_total": None}]
)
def test_what_does_not_move_has_no_time_left(columns: dict[str, Any]) -> None:
    counted = {"status": "parsing", "pages_total": 100, "pages_done": 50, **columns}
    with time_machine.travel(NOW, tick=False):
        assert progress_of(started(60, **counted)).left is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "a few seconds left"),
        (44, "about 40 s left"),
        (118, "about 2 min left"),
        (5_000, "about 83 min left"),
        (9_000, "about 2 h left"),
    ],
)
def test_time_is_told_no_more_exactly_than_it_is_known(seconds: float, words: str) -> None:
    assert time_left(timedelta(seconds=seconds)) == words


@pytest.mark.django_db
def test_each_stage_is_timed_from_its_own_start(
    alice: User, django_assert_num_queries: Any
) -> None:
    reading = add_document(alice, "a.pdf", status="parsing", pages_total=100, pages_done=50)
    embedding = add_document(alice, "b.md", status="embedding", passages=100, passages_embedded=25)
    JobRun.objects.create(
        kind="read-document", subject=reading.pk, started_at=NOW - timedelta(seconds=30)
    )
    with acting_as(Principal(alice)) as principal:
        add_passage(embedding.scope, embedding, 0)
        model = EmbeddingModel.objects.create(name="of a test", dimensions=1)
        Embedding.objects.bulk_create(
            [
                Embedding(
                    scope=embedding.scope,
                    model=model,
                    fact=Fact.objects.get(document=embedding),
                    vector=[1.0],
                    recorded_at=NOW - timedelta(seconds=10),
                )
            ]
        )
        with time_machine.travel(NOW, tick=False):
            with django_assert_num_queries(1):
                found = under_way(principal, 10)
            left = [progress_of(each).left for each in found]

    assert left == [timedelta(seconds=30), timedelta(seconds=30)]
