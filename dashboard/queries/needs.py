"""What needs a person: failures that did not mend themselves, and parts that do not work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from dashboard import numbers
from dashboard.queries.check import Line
from dashboard.queries.documents import DocumentTotals
from dashboard.queries.jobs import Trouble, troubles
from memory.models import Principal

READING = "read-document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing that waits for a person, and where to see to it."""

    state: str
    text: str
    url: str
    number: int = 1
    remedy: str = ""


def needs_of(
    principal: Principal, totals: DocumentTotals, lines: Sequence[Line], now: datetime
) -> list[Need]:
    """All that waits for a person, the worst first."""
    needs = [*_parts(lines), *_documents(totals), *_jobs(troubles(principal, now))]
    return sorted(needs, key=lambda need: need.state != "bad")


def _parts(lines: Sequence[Line]) -> Iterator[Need]:
    for line in lines:
        if line.is_unwell:
            yield Need(
                state="bad" if line.state == "down" else "warn",
                text=f"{line.label}: {line.detail}",
                url=f"{reverse('check')}#{line.name}",
                remedy=line.remedy,
            )


def _documents(totals: DocumentTotals) -> Iterator[Need]:
    if totals.failed:
        number = numbers.plural(totals.failed, "document,documents")
        yield Need(
            state="bad",
            text=f"{number} could not be read",
            url=f"{reverse('document-list')}#failures",
            number=totals.failed,
        )


def _jobs(found: Sequence[Trouble]) -> Iterator[Need]:
    by_label: dict[tuple[str, str], int] = {}
    for trouble in found:
        if trouble.kind != READING:
            key = trouble.kind, trouble.label
            by_label[key] = by_label.get(key, 0) + trouble.number
    for (kind, label), number in by_label.items():
        address = urlencode({"kind": kind, "outcome": "open"})
        yield Need(
            state="bad",
            text=f"{label} failed {numbers.times(number)}",
            url=f"{reverse('job-list')}?{address}",
            number=number,
        )
