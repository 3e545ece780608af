"""Whether workers are alive, and what they do every beat whoever else fails."""

import importlib
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import Error
from django.utils import timezone
from django.utils.module_loading import import_string

from memory.db.locks import advisory_lock
from memory.domain.errors import Permanent, Retryable
from memory.models import WorkerBeat
from memory.services.hosts import host_name
from memory.services.lost_runs import close_lost_runs
from memory.services.queue import waiting_tasks
from memory.services.schedules import Declaration, sync_schedules

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORTEST_SILENCE_SECONDS = 10.0
FORGET_AFTER = timedelta(days=1)

log = structlog.get_logger(__name__)


def heartbeat(*, name: str, pid: int) -> None:
    """Note that this worker is alive."""
    now = timezone.now()
    process = {"host": host_name(), "pid": pid}
    if not WorkerBeat.objects.filter(name=name, **process).update(beat_at=now):
        started = {**process, "beat_at": now, "started_at": now}
        WorkerBeat.objects.update_or_create(name=name, defaults=started)


def dead_after_seconds() -> float:
    """How old a worker's last beat may be; it beats three times as often.

    A busy machine may start a process for seconds, so a shorter heartbeat allows no less.
    """
    return max(float(settings.LONGHAND_HEARTBEAT_SECONDS), SHORTEST_SILENCE_SECONDS)


def workers_alive() -> int:
    """How many workers were heard from lately."""
    return WorkerBeat.objects.alive(timezone.now(), dead_after_seconds()).count()


def hosts_alive() -> set[str]:
    """The hosts that a worker was heard from lately."""
    alive = WorkerBeat.objects.alive(timezone.now(), dead_after_seconds())
    return set(alive.values_list("host", flat=True))


def forget_old_beats() -> None:
    """Drop the rows of workers that have been silent for a day."""
    WorkerBeat.objects.filter(beat_at__lt=timezone.now() - FORGET_AFTER).delete()


def queue_depth() -> int:
    """How many tasks wait for a worker."""
    return waiting_tasks()


def declared_schedules() -> list[Declaration]:
    """What every application declares in its `schedules` module."""
    found: list[Declaration] = []
    for dotted in settings.LONGHAND_SCHEDULES:
        declared: Sequence[Declaration] = importlib.import_module(dotted).SCHEDULES
        found.extend(declared)
    return found


def start_up() -> None:
    """What a worker does once, before its first beat."""
    sync_schedules(declared_schedules())


def tick() -> None:
    """What a worker does at every beat: for its own host, then, one host at a time, for all."""
    close_lost_runs(hosts_alive())
    for dotted in settings.LONGHAND_HOST_UPKEEP:
        _try(dotted)
    with advisory_lock("upkeep") as is_held:
        if not is_held:
            return
        forget_old_beats()
        for dotted in settings.LONGHAND_UPKEEP:
            _try(dotted)


def _try(dotted: str) -> None:
    """Do one part of the upkeep; its failure must not hold up the others."""
    try:
        import_string(dotted)()
    except (Error, OSError, Retryable, Permanent) as error:
        log.warning("worker.upkeep_failed", what=dotted, reason=str(error).strip())
