"""Schedules as the code declares them, reconciled with what a person has edited."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule

from memory.db.locks import advisory_lock, lock_until_commit, shared_lock
from memory.domain.errors import InvalidInput
from memory.domain.moments import require_moment
from memory.models import ScheduleDeclaration

# What the scheduler's column holds: three weeks and a bit.
MOST_MINUTES = 32_000


@dataclass(frozen=True, slots=True)
class Declaration:
    """One named job and when it runs.

    Units: minutes.
    """

    name: str
    task: str
    minutes: int
    cluster: str = "quick"

    @property
    def digest(self) -> str:
        """Changes when the declaration does, and with nothing else."""
        words = f"{self.name}|{self.task}|{self.minutes}|{self.cluster}"
        return hashlib.sha256(words.encode()).hexdigest()


@transaction.atomic
def sync_schedules(declarations: Sequence[Declaration]) -> None:
    """One schedule row per declaration; a person's timing stays until the declaration changes."""
    # Hosts that start at the same moment take turns. Locked rows would not do: a host that waits
    # for them holds some already, and sees none that the other one adds.
    lock_until_commit("schedules")
    names = [each.name for each in declarations]
    gone = ScheduleDeclaration.objects.exclude(name__in=names)
    Schedule.objects.filter(name__in=gone.values("name")).delete()
    gone.delete()
    for declaration in declarations:
        _sync(declaration)


def _sync(declaration: Declaration) -> None:
    row, is_new = ScheduleDeclaration.objects.get_or_create(
        name=declaration.name, defaults={"digest": declaration.digest}
    )
    exists = Schedule.objects.filter(name=declaration.name).exists()
    if exists and not is_new and row.digest == declaration.digest:
        return
    Schedule.objects.filter(name=declaration.name).delete()
    Schedule.objects.create(
        name=declaration.name,
        func=declaration.task,
        schedule_type=Schedule.MINUTES,
        minutes=declaration.minutes,
        cluster=declaration.cluster,
        next_run=timezone.now(),
        repeats=-1,
    )
    ScheduleDeclaration.objects.filter(pk=row.pk).update(digest=declaration.digest)


@transaction.atomic
def retime_schedule(schedule_id: int, *, minutes: int, next_run: datetime) -> None:
    """Have a job run at other times; it stays so until the code declares it anew.

    Raises: InvalidInput for an interval below a minute or above three weeks, or a moment that not
        every zone can show.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        raise InvalidInput(f"Use 1 to {MOST_MINUTES:,} minutes.", field="minutes")
    # A long time ago is now: the scheduler would count up from there, interval by interval.
    next_run = max(require_moment(next_run, field="next_run"), timezone.now())
    Schedule.objects.select_for_update().filter(pk=schedule_id).update(
        schedule_type=Schedule.MINUTES, minutes=minutes, next_run=next_run
    )


@contextmanager
def kept_from_running(name: str) -> Iterator[None]:
    """Inside, this job leaves its work to its next run; waits for the one under way."""
    with shared_lock(f"job:{name}"):
        yield


def run_alone(name: str, work: Callable[[], dict[str, int]]) -> dict[str, int]:
    """Do the work unless another host does the same right now."""
    with advisory_lock(f"job:{name}") as is_held:
        return work() if is_held else {}
