"""One account that is as full as years of daily use make it, without vectors."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import TypeVar
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from bench.facts import Owner
from bench.sentences import Writer
from ingest.models import Document
from memory.db.search import search_vector, word_count
from memory.domain.text import content_hash
from memory.models import Conversation, Fact, JobRun, Scope, Turn, acting_as
from memory.services.counts import recount_all

FACTS, TURNS, DOCUMENTS, RUNS = 100_000, 10_000, 2_000, 20_000
PASSAGES_EACH = 5
TURNS_EACH = 20
BATCH = 2_000
YEARS = timedelta(days=3 * 365)
KINDS = ("fact",) * 8 + ("event",) * 4 + ("entity",) * 3 + ("plan", "plan", "impression", "rule")
JOBS = ("embed", "read-document", "capture", "count-scopes", "prune-job-runs")

T = TypeVar("T")


def fill(owner: Owner) -> None:
    """Store all of it, as counted by the job, then do what autovacuum would do within a minute."""
    with acting_as(owner.principal):
        scope = Scope.objects.for_user(owner.principal.user)
        _in_batches(Fact.objects, _facts(scope))
        _in_batches(Turn.objects, _turns(owner, scope))
        _in_batches(Document.objects, _documents(owner, scope))
        _in_batches(Fact.objects, _passages(scope))
        _in_batches(JobRun.objects, _runs(owner))
    recount_all()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")


def _in_batches(manager: "object", rows: Iterator[T]) -> None:
    while batch := list(islice(rows, BATCH)):
        manager.bulk_create(batch)  # type: ignore[attr-defined]  # any manager can


def _moments(number: int) -> Iterator[datetime]:
    """So many moments, evenly from years ago until now."""
    now = timezone.now()
    return (now - YEARS * (number - index) / number for index in range(number))


def _facts(scope: Scope) -> Iterator[Fact]:
    texts: Sequence[str] = Writer().facts(FACTS)
    for index, (text, moment) in enumerate(zip(texts, _moments(FACTS), strict=True)):
        yield Fact(
            scope=scope,
            text=text,
            kind=KINDS[index % len(KINDS)],
            tags=[f"tag{index % 40}"] if index % 3 == 0 else [],
            status="archived" if index % 10 == 0 else "active",
            recorded_at=moment,
            content_hash=content_hash(text),
            search=search_vector(text),
            doc_length=word_count(text),
        )


def _turns(owner: Owner, scope: Scope) -> Iterator[Turn]:
    talks = Conversation.objects.bulk_create(
        Conversation(owner=owner.principal.user, key=f"talk {number}")
        for number in range(TURNS // TURNS_EACH)
    )
    texts = Writer(3).facts(TURNS)
    for index, (text, moment) in enumerate(zip(texts, _moments(TURNS), strict=True)):
        yield Turn(
            scope=scope,
            conversation=talks[index // TURNS_EACH],
            role="user",
            text=text,
            observed_at=moment,
            recorded_at=moment,
            processed_at=moment,
            search=search_vector(text),
            doc_length=word_count(text),
        )


def _documents(owner: Owner, scope: Scope) -> Iterator[Document]:
    for index, moment in enumerate(_moments(DOCUMENTS)):
        yield Document(
            scope=scope,
            uploaded_by=owner.principal.user,
            name=f"Report {index}.pdf",
            media_type="application/pdf",
            size_bytes=200_000,
            sha256=uuid4().bytes * 2,
            file=f"documents/{index}",
            status="failed" if index % 100 == 0 else "done",
            passages=PASSAGES_EACH,
            passages_embedded=PASSAGES_EACH,
            recorded_at=moment,
            finished_at=moment,
        )


def _passages(scope: Scope) -> Iterator[Fact]:
    texts = iter(Writer(4).facts(DOCUMENTS * PASSAGES_EACH))
    for document in Document.objects.order_by("pk"):
        for ordinal, text in enumerate(islice(texts, PASSAGES_EACH)):
            yield Fact(
                scope=scope,
                document=document,
                version=1,
                ordinal=ordinal,
                text=text,
                source="document",
                decay_class="permanent",
                recorded_at=document.recorded_at,
                content_hash=content_hash(text),
                search=search_vector(text),
                doc_length=word_count(text),
            )


def _runs(owner: Owner) -> Iterator[JobRun]:
    now = timezone.now()
    for index in range(RUNS):
        started_at = now - timedelta(days=30) * (RUNS - index) / RUNS
        kind = JOBS[index % len(JOBS)]
        yield JobRun(
            kind=kind,
            owner=owner.principal.user if kind in {"embed", "read-document"} else None,
            outcome="failed" if index % 200 == 0 else "done",
            error="The file is damaged." if index % 200 == 0 else "",
            counts={"facts": index % 7},
            started_at=started_at,
            finished_at=started_at + timedelta(seconds=1),
        )
