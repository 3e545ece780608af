"""What the pages about documents read, and how far each one is."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from dashboard.queries.rights import may_change
from ingest.models import Document
from ingest.models.documents import DocumentQuerySet
from memory.models import Fact, JobRun, Principal
from memory.models.facts import FactQuerySet

S = Document.Status
STAGES_DONE = {S.QUEUED: 0, S.PARSING: 1, S.EMBEDDING: 3, S.DONE: 4, S.FAILED: 1, S.CANCELED: 1}
WORDS = {
    S.QUEUED: "waiting",
    S.PARSING: "reading",
    S.EMBEDDING: "searchable, embedding",
    S.DONE: "done",
    S.FAILED: "could not be read",
    S.CANCELED: "canceled",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a document is: dots, a word, and a bar when there is something to count."""

    done: int
    failed: bool
    stopped: bool
    word: str
    value: int
    total: int | None
    line: str


@dataclass(frozen=True, slots=True)
class DocumentTotals:
    """How many documents there are, by what matters about them."""

    stored: int
    in_flight: int
    failed: int


def documents_worked_on(principal: Principal, runs: Iterable[JobRun]) -> dict[UUID, Document]:
    """The documents that these runs worked on and the principal may read, by id."""
    found: dict[UUID, Document] = Document.objects.visible_to(principal).in_bulk(
        {run.subject for run in runs if run.subject}
    )
    return found


def documents_of(principal: Principal) -> DocumentQuerySet:
    """All documents that the principal may read, the latest first."""
    found: DocumentQuerySet = Document.objects.visible_to(principal).with_parts().newest_first()
    return found


def under_way(principal: Principal) -> list[Document]:
    """The documents that are being read or wait for it, the oldest first."""
    return list(documents_of(principal).in_flight().order_by("pk"))


def failures(principal: Principal) -> list[Document]:
    """The documents that could not be read."""
    return list(documents_of(principal).filter(status=S.FAILED))


def finished(principal: Principal) -> DocumentQuerySet:
    """The documents that are read, and those that were canceled."""
    return documents_of(principal).filter(status__in=[S.DONE, S.CANCELED])


def documents_among(principal: Principal, ids: Iterable[str]) -> DocumentQuerySet:
    """Those of these documents that the principal may read, in the order they were stored."""
    return documents_of(principal).filter(pk__in=ids).order_by("pk")


def retryable(principal: Principal, documents: Iterable[Document]) -> int:
    """How many of these failed documents another try alone may help."""
    return sum(not each.needs_password and may_change(principal, each.scope) for each in documents)


def document_totals(principal: Principal) -> DocumentTotals:
    """Counts over the principal's documents, in one query."""
    rows = Document.objects.visible_to(principal).aggregate(
        stored=Count("pk"),
        in_flight=Count("pk", filter=Q(status__in=Document.IN_FLIGHT)),
        failed=Count("pk", filter=Q(status=S.FAILED)),
    )
    return DocumentTotals(**rows)


def passages_of(principal: Principal, document: Document) -> FactQuerySet:
    """A document's passages in reading order."""
    found: FactQuerySet = Fact.objects.visible_to(principal).passages().filter(document=document)
    return found


def progress_of(document: Document) -> Progress:
    """How far a document is, in dots, words and numbers."""
    status = document.status
    value, total, line = _counted(document)
    leaving = document.cancel_requested and document.is_in_flight
    return Progress(
        done=STAGES_DONE[S(status)],
        failed=status == S.FAILED,
        stopped=status == S.CANCELED,
        word="canceling" if leaving else WORDS[S(status)],
        value=value,
        total=total,
        line=line,
    )


def _counted(document: Document) -> tuple[int, int | None, str]:
    if document.status == S.PARSING and document.pages_total:
        done, total = document.pages_done, document.pages_total
        return done, total, f"page {done:,} of {total:,}"
    if document.status == S.EMBEDDING and document.passages:
        done, total = document.passages_embedded, document.passages
        return done, total, f"{done:,} of {total:,}"
    if document.status == S.PARSING:
        return 0, None, "opening the file"
    if document.status == S.QUEUED:
        return 0, None, _waiting(document)
    return 0, None, ""


def _waiting(document: Document) -> str:
    if document.attempts and document.last_error:
        return f"tried {document.attempts} times, tries again"
    return "starts when a worker is free"
