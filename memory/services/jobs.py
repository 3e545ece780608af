"""Every run of a job leaves a row: what it worked on, how it ended, what it counted."""

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from time import monotonic, sleep
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, connection
from django.db.models import Value
from django.db.models.functions import Coalesce, Concat, Now
from django.utils import timezone

from memory.domain.errors import Permanent, Retryable
from memory.models import JobRun, User
from memory.services.failures import reason_of
from memory.services.hosts import host_name

if TYPE_CHECKING:
    from django.db.models import QuerySet

log = structlog.get_logger(__name__)

Counts = Mapping[str, int]
# How long an embedded database may take to recover from a crash.
DATABASE_PATIENCE_SECONDS = 120.0


class Canceled(Exception):  # noqa: N818 - named for what happened
    """A person canceled the work while it ran."""


def run_job(  # noqa: PLR0913 - keywords that describe one row
    kind: str,
    work: Callable[[], Counts | None],
    *,
    owner: User | None = None,
    subject: UUID | None = None,
    worked_in: UUID | None = None,
    attempt: int = 1,
) -> JobRun:
    """Do the work once and keep a row of it, however it ends.

    Shape: `work` returns its counts; None or all zero means that there was nothing to do.
    """
    run = JobRun.objects.create(
        kind=kind,
        owner=owner,
        subject=subject,
        worked_in=worked_in,
        attempt=attempt,
        worker=worker_name(),
    )
    try:
        counts = work() or {}
    except Canceled:
        return finish_run(run, JobRun.Outcome.CANCELED)
    except Exception as error:
        if not isinstance(error, Permanent | Retryable):
            log.exception("job.failed", kind=kind, run=str(run.pk))
        return finish_run(run, JobRun.Outcome.FAILED, error=reason_of(error))
    outcome = JobRun.Outcome.DONE if any(counts.values()) else JobRun.Outcome.NOTHING
    return finish_run(run, outcome, counts=counts)


def finish_run(
    run: JobRun, outcome: str, *, counts: Counts | None = None, error: str = ""
) -> JobRun:
    """Close a run."""
    run.outcome, run.error, run.counts = outcome, error, dict(counts or {})
    run.finished_at = timezone.now()
    _save_patiently(run)
    return run


def _save_patiently(run: JobRun) -> None:
    """Write the end of a run, even when the database is just starting again."""
    deadline = monotonic() + DATABASE_PATIENCE_SECONDS
    while True:
        try:
            return run.save(update_fields=["outcome", "error", "counts", "finished_at"])
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or monotonic() > deadline:
                raise
            connection.close()
            sleep(1.0)


def mark_lost(subject: UUID, now: datetime) -> int:
    """Close the open runs of a row whose worker died."""
    return close_as_lost(JobRun.objects.about(subject), now)


def close_as_lost(runs: "QuerySet[JobRun]", now: datetime) -> int:
    """Close those of the runs that are open: their worker died."""
    lost = runs.filter(finished_at=None)
    return lost.update(outcome=JobRun.Outcome.LOST, finished_at=now, error="The worker died.")


def withdraw_runs(subject: UUID, because: str) -> int:
    """Have nobody look after runs that went wrong with a row that is gone; their reason stays."""
    runs = JobRun.objects.about(subject).without_good_end()
    return runs.update(
        outcome=JobRun.Outcome.CANCELED,
        finished_at=Coalesce("finished_at", Now()),
        error=Concat(Value(f"{because}\n"), "error"),
    )


def worker_name() -> str:
    """This process, as pages name it."""
    return f"{host_name()}:{os.getpid()}"
