"""The counts beside the places of the side bar."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet, Value

from ingest.models import Document
from memory.models import Fact, Principal


@dataclass(frozen=True, slots=True)
class ShellCounts:
    """What the side bar shows on every page."""

    memories: int
    documents: int
    failed: int


def shell_counts(principal: Principal) -> ShellCounts:
    """The counts of the side bar, in one query."""
    facts = Fact.objects.visible_to(principal).memories().active().order_by()
    documents = Document.objects.visible_to(principal).order_by()
    failed = documents.filter(status=Document.Status.FAILED)
    parts = [
        _counted(facts, "memories"),
        _counted(documents, "documents"),
        _counted(failed, "failed"),
    ]
    numbers = dict(parts[0].union(*parts[1:], all=True))
    names = ("memories", "documents", "failed")
    return ShellCounts(*[numbers.get(name, 0) for name in names])


def _counted(rows: "QuerySet[Any]", name: str) -> "QuerySet[Any, tuple[str, int]]":
    named = rows.annotate(what=Value(name)).values("what")
    counted: QuerySet[Any, tuple[str, int]]
    counted = named.annotate(number=Count("pk")).values_list("what", "number")
    return counted
