"""What the metrics page reads from the database: numbers of all owners together, no names."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Count, F, Sum

from ingest.models import Document
from memory.db.sizes import rows_in
from memory.models import Fact, JobRun, Turn, WorkerBeat, across_owners

LATELY = timedelta(hours=1)
TABLES = {
    "facts": Fact._meta.db_table,
    "turns": Turn._meta.db_table,
    "documents": Document._meta.db_table,
}
# The others are many, and wait for nobody.
TOLD = (*Document.IN_FLIGHT, Document.Status.FAILED)


@dataclass(frozen=True, slots=True)
class JobSum:
    """The runs of one kind that ended in one way."""

    kind: str
    outcome: str
    runs: int
    seconds: float
    cost_usd: Decimal


def table_rows() -> dict[str, int]:
    """How many rows the large tables have, roughly."""
    return rows_in(TABLES)


def documents_by_status() -> dict[str, int]:
    """How many documents wait, are under way or have failed."""
    with across_owners():
        rows = Document.objects.filter(status__in=TOLD).order_by()
        found = dict(rows.values_list("status").annotate(number=Count("pk")))
    return {status.value: found.get(status.value, 0) for status in TOLD}


def job_sums(now: datetime) -> list[JobSum]:
    """The runs of the last hour by kind and outcome."""
    rows = JobRun.objects.filter(started_at__gt=now - LATELY).order_by()
    sums = rows.values("kind", "outcome").annotate(
        runs=Count("pk"), lasted=Sum(F("finished_at") - F("started_at")), cost=Sum("cost_usd")
    )
    return [
        JobSum(
            kind=row["kind"],
            outcome=row["outcome"],
            runs=row["runs"],
            seconds=row["lasted"].total_seconds() if row["lasted"] else 0.0,
            cost_usd=row["cost"] or Decimal(0),
        )
        for row in sums
    ]


def beat_ages(now: datetime) -> dict[str, float]:
    """How long ago each worker was last heard from.

    Units: seconds.
    """
    beats = WorkerBeat.objects.values_list("name", "beat_at")
    return {name: (now - beat_at).total_seconds() for name, beat_at in beats}
