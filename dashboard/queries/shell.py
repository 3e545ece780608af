"""The counts beside the places of the side bar."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, QuerySet, Value
from django.utils import timezone

from dashboard.queries.jobs import unsettled
from ingest.models import Document
from memory.models import Conversation, Fact, JobRun, Principal
from memory.services.counts import memories_counted

LATELY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ShellCounts:
    """What the side bar shows on every page."""

    memories: int
    documents: int
    failed: int
    conversations: int
    jobs_gone_wrong: int


def shell_counts(principal: Principal) -> ShellCounts:
    """The counts of the side bar, in two queries; many memories are as of their last count."""
    documents = Document.objects.visible_to(principal).order_by()
    runs = JobRun.objects.visible_to(principal).order_by()
    parts = {
        "documents": documents,
        "conversations": Conversation.objects.visible_to(principal).order_by(),
        "failed": documents.filter(status=Document.Status.FAILED),
        "jobs_gone_wrong": unsettled(runs.filter(started_at__gt=timezone.now() - LATELY)),
    }
    memories = memories_counted(principal)
    if memories is None:
        facts = Fact.objects.visible_to(principal)
        parts["memories"] = facts.memories().active().order_by()
    first, *others = [_counted(rows, name) for name, rows in parts.items()]
    numbers = {"memories": memories or 0} | dict(first.union(*others, all=True))
    return ShellCounts(**{name: numbers.get(name, 0) for name in ShellCounts.__slots__})


def _counted(rows: "QuerySet[Any]", name: str) -> "QuerySet[Any, tuple[str, int]]":
    named = rows.annotate(what=Value(name)).values("what")
    counted: QuerySet[Any, tuple[str, int]]
    counted = named.annotate(number=Count("pk")).values_list("what", "number")
    return counted
