"""Drawings and words of the pages about jobs and costs."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from datetime import datetime
from typing import Any
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join

from dashboard import numbers
from dashboard.drawings import BEAT_GAP, BEAT_WIDTH, Beat, beats, beats_width, columns
from dashboard.queries.costs import Costs
from dashboard.queries.jobs import JobRow, Tick, label_of
from ingest.models import Document
from memory.models import JobRun

register = template.Library()

CHART = (316, 96)
NOBODY = UUID(int=0)
# Hundreds stand on a page, and a loop in a template takes several times as long.
TICK = '<rect x="{}" y="{}" width="2.5" height="{}" rx="1" class="{}"/>'
LINK = (
    '<a href="{0}" aria-label="{1}" tabindex="{2}"><title>{1}</title>'
    '<rect class="hit-area" x="{3}" y="0" width="{4}" height="14"/></a>'
)
STATES = {
    JobRun.Outcome.DONE.value: "ok",
    JobRun.Outcome.FAILED.value: "bad",
    JobRun.Outcome.LOST.value: "bad",
}

register.filter("money", numbers.money)
register.filter("span", numbers.span)
register.filter("times", numbers.times)
register.filter("job_label", label_of)
register.filter("counts_for", JobRun.counts_for)


@register.inclusion_tag("components/heartbeats.html")
def heartbeats(row: JobRow) -> dict[str, Any]:
    """The last forty runs as ticks, each leading to its run."""
    drawn = beats([tick.state for tick in row.ticks])
    return {
        "ticks": format_html_join("", TICK, [astuple(beat) for beat in drawn]),
        "links": format_html_join("", LINK, _links(drawn, row.ticks)),
        "width": beats_width(),
        "label": f"Last {len(row.ticks)} runs, {row.failed} failed",
    }


def _links(drawn: Sequence[Beat], ticks: Sequence[Tick]) -> Iterator[tuple[object, ...]]:
    shown = drawn[len(drawn) - len(ticks) :]
    # Two hundred on a page: looking each address up would take longer than all the rest of them.
    address = reverse("job-detail", args=[NOBODY])
    for index, (beat, tick) in enumerate(zip(shown, ticks, strict=True), start=1):
        label = f"{tick.outcome}, {timezone.localtime(tick.started_at):%Y-%m-%d %H:%M}"
        stop = 0 if index == len(ticks) else -1
        url = address.replace(str(NOBODY), str(tick.pk))
        yield url, label, stop, beat.x, BEAT_WIDTH + BEAT_GAP


@register.inclusion_tag("components/day_costs.html")
def day_costs(costs: Costs) -> dict[str, Any]:
    """What each of the last days cost, as bars with the highest amount at the top."""
    width, height = CHART
    bars = columns([day.usd for day in costs.days], width, height)
    days = [
        {"bar": bar, "word": f"{each.day:%a}", "usd": each.usd, "day": each.day}
        for bar, each in zip(bars, costs.days, strict=True)
    ]
    return {"days": days, "highest": costs.highest_usd, "width": width, "height": height}


@register.filter
def worked_on(run: JobRun, documents: dict[UUID, Document]) -> Document | None:
    """Which of these documents the run worked on."""
    return documents.get(run.subject) if run.subject else None


@register.filter
def state_of(outcome: str) -> str:
    """The class of an outcome: good, bad, or neither."""
    return STATES.get(outcome, "mute")


@register.filter
def is_late(moment: datetime | None) -> bool:
    """Whether what was due at this moment should have come by now."""
    return moment is not None and moment < timezone.now()


@register.filter
def counted(counts: dict[str, int]) -> str:
    """What a run counted, in words."""
    return ", ".join(f"{name} {number:,}" for name, number in counts.items() if number)
