"""What the pages about jobs read: runs, how each kind did lately, and what needs a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import CharField, Count, Exists, Func, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from dashboard.drawings import BEATS
from memory.models import JobRun, Principal, WorkerBeat
from memory.models.jobs import JobRunQuerySet
from memory.services.timetable import Planned, planned_jobs
from memory.services.workers import dead_after_seconds

Outcome = JobRun.Outcome
BAD = (Outcome.FAILED, Outcome.LOST)
IDLE = (Outcome.NOTHING, Outcome.CANCELED)
MOST_KINDS = 30
NEEDED_FOR = timedelta(days=7)
OUTCOMES = [
    ("wrong", "Failed or lost"),
    ("open", "Failed, and not well since"),
    *[(each.value, each.label) for each in Outcome],
]
TIMES = [("1d", "Last 24 hours"), ("7d", "Last 7 days"), ("30d", "Last 30 days")]
SINCE = {"1d": timedelta(days=1), "7d": timedelta(days=7), "30d": timedelta(days=30)}
LABELS = {
    "embed": "Embed",
    "probe-parser": "Parser",
    "probe-ocr": "Pictures",
    "prune-job-runs": "Old runs",
    "prune-sessions": "Sessions",
    "prune-sign-in-links": "Old links",
    "scan-watched-folders": "Folders",
    "sweep-orphan-files": "Old files",
    "capture": "Capture",
    "classify": "Doubts",
    "read-document": "Documents",
    "count-scopes": "Counts",
}


ABOUT = {
    "embed": "finds by meaning what is new",
    "probe-parser": "tries whether documents can be read",
    "probe-ocr": "tries whether text in pictures can be read",
    "prune-job-runs": "deletes runs of long ago",
    "prune-sessions": "deletes sessions that have ended",
    "prune-sign-in-links": "deletes sign-in links that open nothing",
    "scan-watched-folders": "takes new files of watched folders",
    "sweep-orphan-files": "deletes files that no document has",
    "capture": "decides what is kept of a turn",
    "classify": "decides what the rules are unsure of",
    "read-document": "reads what was uploaded",
    "count-scopes": "counts what each person keeps",
    "mail": "sends sign-in links",
}


@dataclass(frozen=True, slots=True)
class Tick:
    """One run in a row of heartbeats."""

    pk: UUID
    outcome: str
    started_at: datetime

    @property
    def state(self) -> str:
        """Good, bad, or nothing done."""
        if self.outcome in BAD:
            return "bad"
        return "none" if self.outcome in IDLE else "ok"


@dataclass(frozen=True, slots=True)
class JobRow:
    """One kind of job: its last runs, oldest first, and when the clock starts it."""

    kind: str
    ticks: list[Tick]
    plan: Planned | None = None

    @property
    def label(self) -> str:
        """The job as people call it."""
        return label_of(self.kind)

    @property
    def about(self) -> str:
        """What it does, in a few words; empty for a job of an extension."""
        return ABOUT.get(self.kind, "")

    @property
    def last(self) -> Tick | None:
        """The latest run."""
        return self.ticks[-1] if self.ticks else None

    @property
    def failed(self) -> int:
        """How many of the runs went wrong."""
        return sum(tick.state == "bad" for tick in self.ticks)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Failures that are alike: of one kind of job, for the same reason but for its numbers."""

    kind: str
    reason: str
    number: int
    latest_at: datetime

    @property
    def label(self) -> str:
        """The job as people call it."""
        return label_of(self.kind)


def label_of(kind: str) -> str:
    """A kind of job as people call it."""
    return LABELS.get(kind, kind.replace("-", " ").capitalize())


def kinds_of(principal: Principal) -> list[tuple[str, str]]:
    """The kinds of the principal's runs, each with its label."""
    kinds = _kinds(JobRun.objects.visible_to(principal))
    return sorted(((kind, label_of(kind)) for kind in kinds), key=lambda pair: pair[1])


def _kinds(runs: JobRunQuerySet) -> list[str]:
    return list(runs.order_by("kind").values_list("kind", flat=True).distinct()[:MOST_KINDS])


def job_rows(principal: Principal) -> list[JobRow]:
    """Each kind of job that the principal has runs of, with its last forty."""
    runs = JobRun.objects.visible_to(principal)
    kinds = _kinds(runs)
    ticks = _last_ticks(runs, kinds)
    return [JobRow(kind, ticks[kind]) for kind in kinds]


def planned_rows(principal: Principal) -> list[JobRow]:
    """The same, with what the clock starts; those that have never run at the end."""
    plans = {plan.name: plan for plan in planned_jobs()}
    rows = [JobRow(row.kind, row.ticks, plans.pop(row.kind, None)) for row in job_rows(principal)]
    return rows + [JobRow(name, [], plan) for name, plan in sorted(plans.items())]


def _last_ticks(runs: JobRunQuerySet, kinds: Sequence[str]) -> dict[str, list[Tick]]:
    if not kinds:
        return {}
    # One short index scan for each kind: numbering all runs would read all of them.
    latest = [
        runs.filter(kind=kind).latest_first().values_list("kind", "pk", "outcome", "started_at")
        for kind in kinds
    ]
    first, *others = [each[:BEATS] for each in latest]
    ticks: dict[str, list[Tick]] = {kind: [] for kind in kinds}
    for kind, pk, outcome, started_at in first.union(*others, all=True) if others else first:
        ticks[kind].append(Tick(pk, outcome, started_at))
    return {kind: sorted(each, key=_by_start) for kind, each in ticks.items()}


def _by_start(tick: Tick) -> tuple[datetime, UUID]:
    return tick.started_at, tick.pk


def runs_of(principal: Principal) -> JobRunQuerySet:
    """The principal's runs and those for everybody, the last first."""
    return JobRun.objects.visible_to(principal).latest_first()


def ended(runs: JobRunQuerySet, outcome: str) -> JobRunQuerySet:
    """Those with this outcome; "wrong" for both bad ones, "open" for those that nothing mended."""
    if outcome == "open":
        return unsettled(runs)
    return runs.gone_wrong() if outcome == "wrong" else runs.filter(outcome=outcome)


def begun_since(runs: JobRunQuerySet, since: str) -> JobRunQuerySet:
    """Those that began in one of the stretches of time until now."""
    return runs.filter(started_at__gt=timezone.now() - SINCE[since])


def newer_than(runs: JobRunQuerySet, moment: datetime) -> int:
    """How many began after this moment."""
    return runs.filter(started_at__gt=moment).count()


def troubles(principal: Principal, now: datetime) -> list[Trouble]:
    """What went wrong in the last week and has not gone well since, alike taken together."""
    recent = JobRun.objects.visible_to(principal).filter(started_at__gt=now - NEEDED_FOR)
    alike = unsettled(recent).annotate(reason=_reason())
    rows = alike.order_by().values("kind", "reason")
    counted = rows.annotate(number=Count("pk"), latest=Max("started_at")).order_by("-latest")
    return [
        Trouble(kind, reason, number, latest)
        for kind, reason, number, latest in counted.values_list(
            "kind", "reason", "number", "latest"
        )
    ]


def failures_lately(principal: Principal, now: datetime) -> dict[str, int]:
    """How many runs of each kind went wrong in the last 24 hours, and have not gone well since."""
    runs = JobRun.objects.visible_to(principal).filter(started_at__gt=now - SINCE["1d"])
    return dict(unsettled(runs).order_by().values_list("kind").annotate(Count("pk")))


def unsettled(runs: JobRunQuerySet) -> JobRunQuerySet:
    """Those that went wrong and that no later run of the same job has made good."""
    # Asked one by one: with an OR between them, PostgreSQL compares each run with each other one.
    about_the_same = _went_well_since().filter(subject=OuterRef("subject"))
    # A run about nothing in particular, such as one that embeds all that waits, is about all.
    about_all = _went_well_since().filter(subject=None)
    return runs.gone_wrong().filter(~Exists(about_the_same), ~Exists(about_all))


def _went_well_since() -> "QuerySet[JobRun]":
    later = JobRun.objects.filter(kind=OuterRef("kind"), started_at__gt=OuterRef("started_at"))
    same_owner = Q(owner=OuterRef("owner")) | Q(owner=None)
    return later.filter(same_owner, outcome__in=[Outcome.DONE, Outcome.NOTHING])


def _reason() -> Func:
    first_line = Func("error", template=r"split_part(%(expressions)s, E'\n', 1)")
    template = "regexp_replace(%(expressions)s, '[0-9][0-9.,:]*', '…', 'g')"
    return Func(first_line, template=template, output_field=CharField())


def workers() -> list[WorkerBeat]:
    """The workers that are known, those that were heard from last first."""
    return list(WorkerBeat.objects.order_by("-beat_at", "name"))


def silent_since() -> datetime:
    """A worker that was last heard from before this counts as dead."""
    return timezone.now() - timedelta(seconds=dead_after_seconds())
