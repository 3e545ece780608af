"""The status strip: six numbers, what each counts, and the list behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from dashboard import numbers
from dashboard.queries.costs import Costs
from dashboard.queries.jobs import failures_lately, label_of, silent_since, workers
from dashboard.queries.overview import kind_rows, store_bytes
from memory.models import Principal
from memory.services.counts import Counts
from memory.services.queue import queues

FEW_KINDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One number of the strip, what it counts, and the list behind it."""

    label: str
    number: str
    line: str
    url: str
    unit: str = ""
    css: str = ""


def tiles_of(
    principal: Principal, counts: Counts, costs: Costs | None, now: datetime
) -> list[Tile]:
    """The strip, left to right."""
    return [
        _workers(now),
        _queue(now),
        _failures(principal, now),
        _memories(counts),
        _store(),
        _costs(costs),
    ]


def _workers(now: datetime) -> Tile:
    known, since = workers(), silent_since()
    alive = [each for each in known if each.beat_at >= since]
    silent = len(known) > len(alive)
    age = max(0, round((now - known[0].beat_at).total_seconds())) if alive else 0
    beat = f"heartbeat {age} s ago" if alive else ""
    return Tile(
        label="Workers",
        number=numbers.count(len(alive)),
        unit=f"of {numbers.count(len(known))}" if known else "",
        line=beat or "none was heard from",
        url=f"{reverse('job-list')}#workers",
        css="is-bad" if not alive else "is-warn" if silent else "",
    )


def _queue(now: datetime) -> Tile:
    found = queues()
    known = [queue.waiting for queue in found if queue.waiting is not None]
    waiting = sum(known) if known else None
    oldest = min((queue.oldest_at for queue in found if queue.oldest_at), default=None)
    line = f"oldest waits {numbers.span(now - oldest)}" if oldest else "nothing waits"
    return Tile(
        label="Queue",
        number=numbers.count(waiting),
        line="the broker does not answer" if waiting is None else line,
        url=f"{reverse('job-list')}#queue",
        css="" if waiting else "is-zero",
    )


def _failures(principal: Principal, now: datetime) -> Tile:
    by_kind = failures_lately(principal, now)
    kinds = [label_of(kind).lower() for kind in by_kind]
    return Tile(
        label="Failed in 24 h",
        number=numbers.count(sum(by_kind.values())),
        line=_named(kinds),
        url=f"{reverse('job-list')}?outcome=open&since=1d#runs",
        css="is-bad" if kinds else "is-zero",
    )


def _named(kinds: Sequence[str]) -> str:
    if not kinds:
        return "none"
    return ", ".join(kinds) if len(kinds) <= FEW_KINDS else f"{len(kinds)} kinds of job"


def _memories(counts: Counts) -> Tile:
    week = sum(row.week for row in kind_rows(counts))
    return Tile(
        label="Memories",
        number=numbers.count(counts.memories),
        line=f"{numbers.count(week)} new in 7 days",
        url=reverse("fact-list"),
        css="" if counts.memories else "is-zero",
    )


def _store() -> Tile:
    number, unit = numbers.size(store_bytes()).split()
    return Tile(
        label="Store", number=number, unit=unit, line="on disk", url=f"{reverse('check')}#disk"
    )


def _costs(costs: Costs | None) -> Tile:
    if costs is None:
        url = f"{reverse('check')}#llm"
        return Tile(
            label="Spent today",
            number=numbers.ABSENT,
            line="no model connected",
            url=url,
            css="is-zero",
        )
    return Tile(
        label="Spent today",
        number=numbers.money(costs.today_usd),
        line=f"{numbers.money(costs.total_usd)} in 7 days",
        url=f"{reverse('job-list')}?since=7d&paid=yes#runs",
        css="" if costs.today_usd else "is-zero",
    )
