"""The first page: what is stored, what happens now, and what needs a person."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from dashboard.numbers import size
from dashboard.queries.documents import DocumentTotals, document_totals, under_way
from dashboard.queries.history import recent_changes
from dashboard.queries.overview import KindRow, jobs, kinds, store_bytes
from dashboard.views.access import AuthedRequest, signed_in, wants_fragment
from memory.services.health import PartHealth, check_parts
from memory.services.workers import queue_depth, workers_alive

CHANGES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One number of the strip, what it counts, and the list behind it."""

    label: str
    number: str
    line: str
    url: str
    unit: str = ""
    css: str = ""


@require_safe
@signed_in
def overview(request: AuthedRequest) -> HttpResponse:
    """Counts, health, what is being read, and what changed."""
    principal, now = request.principal, timezone.now()
    rows, totals, parts = kinds(principal, now), document_totals(principal), check_parts()
    changes = recent_changes(principal, CHANGES)
    context = {
        "section": "overview",
        "now": now,
        "kinds": rows,
        "active": sum(row.active for row in rows),
        "totals": totals,
        "parts": parts,
        "unwell": [part for part in parts if part.state != "ok"],
        "tiles": _tiles(rows, totals, parts),
        "under_way": under_way(principal),
        "changes": changes,
        "jobs": jobs(principal),
        "is_empty": not changes and not totals.stored,
    }
    name = "_results" if wants_fragment(request) else "page"
    return render(request, f"dashboard/overview/{name}.html", context)


def _tiles(rows: list[KindRow], totals: DocumentTotals, parts: list[PartHealth]) -> list[Tile]:
    documents = reverse("document-list")
    return [
        _memories_tile(rows),
        _documents_tile(totals, documents),
        _queue_tile(totals, documents),
        _failures_tile(totals, documents),
        _workers_tile(parts),
        _store_tile(),
    ]


def _memories_tile(rows: list[KindRow]) -> Tile:
    active, week = sum(row.active for row in rows), sum(row.week for row in rows)
    return Tile(
        label="Memories",
        number=f"{active:,}",
        line=f"{week:,} new in 7 days",
        url=reverse("fact-list"),
        css=_zero(active),
    )


def _documents_tile(totals: DocumentTotals, url: str) -> Tile:
    return Tile(
        label="Documents",
        number=f"{totals.stored:,}",
        line=f"{totals.passages:,} passages",
        url=url,
        css=_zero(totals.stored),
    )


def _failures_tile(totals: DocumentTotals, url: str) -> Tile:
    return Tile(
        label="Could not be read",
        number=f"{totals.failed:,}",
        line="documents, with the reason" if totals.failed else "none",
        url=f"{url}#failures",
        css="is-bad" if totals.failed else "is-zero",
    )


def _queue_tile(totals: DocumentTotals, url: str) -> Tile:
    waiting = queue_depth()
    line = f"{totals.in_flight:,} documents under way" if totals.in_flight else "nothing waits"
    return Tile(
        label="Queue", number=f"{waiting:,}", line=line, url=f"{url}#under-way", css=_zero(waiting)
    )


def _workers_tile(parts: list[PartHealth]) -> Tile:
    alive = workers_alive()
    state = next((part.state for part in parts if part.name == "workers"), "ok")
    return Tile(
        label="Workers",
        number=f"{alive:,}",
        line="alive" if alive else "none was heard from",
        url="#health",
        css={"down": "is-bad", "degraded": "is-warn"}.get(state, _zero(alive)),
    )


def _store_tile() -> Tile:
    number, unit = size(store_bytes()).split()
    return Tile(label="Store", number=number, unit=unit, line="on disk", url="#health")


def _zero(number: int) -> str:
    return "" if number else "is-zero"
