"""What the overview reads: counts, the month behind each kind, the jobs, the parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Window
from django.db.models.functions import RowNumber, TruncDate
from django.utils import timezone

from dashboard.drawings import BEATS
from dashboard.queries.facts import KIND_ORDER
from memory.models import Fact, JobRun, Principal

DAYS = 30
WEEK = timedelta(days=7)
BAD = {JobRun.Outcome.FAILED.value, JobRun.Outcome.LOST.value}
IDLE = {JobRun.Outcome.NOTHING.value, JobRun.Outcome.CANCELED.value}

JOB_LABELS = {
    "embed": "Embed",
    "probe-parser": "Parser",
    "prune-job-runs": "Old runs",
    "prune-sign-in-links": "Old links",
    "sweep-orphan-files": "Old files",
    "capture": "Capture",
    "read-document": "Documents",
}


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind of memory: how many are active, how that grew, and what came this week."""

    kind: str
    active: int
    month: list[int]
    week: int


@dataclass(frozen=True, slots=True)
class JobRow:
    """One kind of job: its last outcomes, oldest first, and when it last ran."""

    kind: str
    outcomes: list[str]
    last_at: datetime
    failed: int

    @property
    def label(self) -> str:
        """The job as people call it."""
        return JOB_LABELS.get(self.kind, self.kind.replace("-", " ").capitalize())


def kinds(principal: Principal, now: datetime) -> list[KindRow]:
    """Each kind's active memories, with how many there were on each of the last 30 days."""
    facts = Fact.objects.visible_to(principal).memories().active().order_by()
    totals = dict(facts.values_list("kind").annotate(Count("pk")))
    recent = facts.filter(recorded_at__gt=now - timedelta(days=DAYS), recorded_at__lte=now)
    week = dict(facts.filter(recorded_at__gt=now - WEEK).values_list("kind").annotate(Count("pk")))
    by_day = recent.annotate(day=TruncDate("recorded_at")).values_list("kind", "day")
    added = {(kind, day): number for kind, day, number in by_day.annotate(Count("pk"))}
    today = timezone.localdate(now)
    days = [today - timedelta(days=back) for back in range(DAYS)]
    names = [*KIND_ORDER, *sorted(set(totals) - set(KIND_ORDER))]
    return [
        KindRow(
            name,
            totals.get(name, 0),
            _levels(totals.get(name, 0), [added.get((name, day), 0) for day in days]),
            week.get(name, 0),
        )
        for name in names
    ]


def _levels(total: int, added_backwards: Sequence[int]) -> list[int]:
    levels = []
    for added in added_backwards:
        levels.append(total)
        total -= added
    return levels[::-1]


def jobs(principal: Principal) -> list[JobRow]:
    """The last forty runs of each kind of job that the principal may see."""
    place = Window(RowNumber(), partition_by="kind", order_by=["-started_at", "-pk"])
    runs = JobRun.objects.visible_to(principal).annotate(place=place).filter(place__lte=BEATS)
    by_kind: dict[str, list[tuple[datetime, str]]] = {}
    for kind, started_at, outcome in runs.values_list("kind", "started_at", "outcome"):
        by_kind.setdefault(kind, []).append((started_at, outcome))
    return [_job_row(kind, sorted(rows)) for kind, rows in sorted(by_kind.items())]


def _job_row(kind: str, rows: list[tuple[datetime, str]]) -> JobRow:
    outcomes = [_tick(outcome) for _, outcome in rows]
    return JobRow(kind, outcomes, rows[-1][0], outcomes.count("bad"))


def _tick(outcome: str) -> str:
    if outcome in BAD:
        return "bad"
    return "none" if outcome in IDLE else "ok"


def store_bytes() -> int:
    """The size of the database on disk."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
