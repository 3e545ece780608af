"""The jobs that run by the clock: when each runs next, and running one at once."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django_q.models import Schedule

from memory.db.locks import lock_until_commit
from memory.domain.errors import Permanent
from memory.domain.text import clean_text
from memory.models import JobRun
from memory.services.queue import QUICK, enqueue, is_waiting

DAY, HOUR = 24 * 60, 60


class Busy(Permanent):
    """It waits or runs already, or as many others do as there is room for."""


class UnknownSchedule(LookupError):  # noqa: N818 - named for what happened
    """No job by the clock has this name."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One job by the clock; its runs carry its name as their kind.

    Units: minutes; None when a person gave it another rhythm.
    """

    name: str
    task: str
    cluster: str
    minutes: int | None
    rhythm: str
    next_at: datetime | None
    is_on: bool

    @property
    def every(self) -> str:
        """How often it runs, in words."""
        if self.minutes is None:
            return self.rhythm
        for size, word in ((DAY, "day"), (HOUR, "hour"), (1, "minute")):
            number, rest = divmod(self.minutes, size)
            if not rest:
                return f"every {word}" if number == 1 else f"every {number} {word}s"
        return self.rhythm


def planned_jobs() -> list[Planned]:
    """All jobs by the clock, by name."""
    return [_planned(row) for row in Schedule.objects.order_by("name")]


def planned_job(name: str) -> Planned:
    """One job by the clock.

    Raises: UnknownSchedule.
    """
    row = Schedule.objects.filter(name=clean_text(name)).first()
    if row is None:
        raise UnknownSchedule(name)
    return _planned(row)


@transaction.atomic
def run_now(name: str) -> None:
    """Have a job by the clock run as soon as a worker is free; its clock goes on as before.

    Raises: UnknownSchedule; Busy when it waits or runs already; Retryable when no broker answers.
    """
    plan = planned_job(name)
    # Two who press at the same moment take turns, and the second finds the first's bell.
    lock_until_commit(f"run:{name}")
    if JobRun.objects.of_kind(name).unfinished().exists():
        raise Busy("It is running now.")
    if is_waiting(plan.task, plan.cluster):
        raise Busy("It waits for a worker already.")
    enqueue(plan.task, cluster=plan.cluster)


def _planned(row: Schedule) -> Planned:
    is_plain = row.schedule_type == Schedule.MINUTES
    return Planned(
        name=row.name,
        task=row.func,
        cluster=row.cluster or QUICK,
        minutes=row.minutes if is_plain else None,
        rhythm=str(row.get_schedule_type_display()).lower(),
        next_at=row.next_run,
        is_on=row.repeats != 0,
    )
