"""What the pages about documents read."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    Count,
    DateTimeField,
    ExpressionWrapper,
    OuterRef,
    Q,
    Subquery,
    When,
)
from django.utils import timezone

from ingest.models import Document
from ingest.models.documents import DocumentQuerySet
from memory.models import Embedding, Fact, JobRun, Principal
from memory.models.facts import FactQuerySet

S = Document.Status


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


def timed(documents: DocumentQuerySet) -> DocumentQuerySet:
    """The same documents, each with when its present stage began as `stage_began_at`."""
    runs = JobRun.objects.filter(subject=OuterRef("pk"), finished_at=None).latest_first()
    vectors = Embedding.objects.filter(fact__document=OuterRef("pk")).order_by("recorded_at")
    began = Case(
        When(status=S.PARSING, then=Subquery(runs.values("started_at")[:1])),
        When(status=S.EMBEDDING, then=Subquery(vectors.values("recorded_at")[:1])),
        output_field=DateTimeField(),
    )
    return documents.annotate(stage_began_at=began)


def under_way(principal: Principal, most: int | None) -> list[Document]:
    """The documents that are being read, then those that wait, in the order they are taken.

    The first ones, or all of them for None.
    """
    waits = ExpressionWrapper(Q(claim_token=None), output_field=BooleanField())
    is_put_off = ExpressionWrapper(Q(retry_at__gt=timezone.now()), output_field=BooleanField())
    in_order = documents_of(principal).in_flight().order_by(waits, is_put_off, "attempts", "pk")
    return list(timed(in_order)[:most])


def failures(principal: Principal, most: int | None) -> list[Document]:
    """The last documents that could not be read; all of them for None."""
    return list(documents_of(principal).failed()[:most])


def finished(principal: Principal, *, with_older: bool) -> DocumentQuerySet:
    """The documents that are read, and those that were canceled; older versions if wanted."""
    rows = documents_of(principal).select_related("parent").filter(status__in=[S.DONE, S.CANCELED])
    return rows if with_older else rows.current()


def named(documents: DocumentQuerySet, words: str) -> DocumentQuerySet:
    """Those of these documents whose name holds these characters, however they are composed."""
    return documents.filter(name__icontains=unicodedata.normalize("NFC", words.strip()))


def has_older(principal: Principal) -> bool:
    """Whether the principal may read a document that a newer version replaced."""
    return Document.objects.visible_to(principal).filter(version__gt=1).exists()


def documents_among(principal: Principal, ids: Iterable[str]) -> DocumentQuerySet:
    """Those of these documents that the principal may read, in the order they were stored."""
    return documents_of(principal).filter(pk__in=ids).order_by("pk")


def numbers_of(documents: DocumentQuerySet) -> dict[str, int]:
    """How many of these documents are in each status."""
    return dict(documents.order_by("status").values_list("status").annotate(Count("pk")))


def failed_of(documents: DocumentQuerySet) -> list[Document]:
    """Those of these documents that could not be read."""
    return list(documents.failed())


def retryable(principal: Principal) -> int:
    """How many failed documents another try alone may help."""
    return int(Document.objects.changeable_by(principal).retryable().count())


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
