"""Runs that nobody will end any more, because their process died."""

from datetime import timedelta

import psutil
from django.utils import timezone

from memory.models import JobRun
from memory.services.hosts import host_name
from memory.services.jobs import close_as_lost

# The kernel counts a process's start in whole ticks since a boot time in whole seconds.
CLOCK_SECONDS = 2.0
SILENT_FOR = timedelta(minutes=5)


def close_lost_runs(hosts_alive: set[str]) -> int:
    """Close the open runs of dead processes; those of other hosts once the host is silent."""
    now, own = timezone.now(), host_name()
    lost = []
    for run in JobRun.objects.unfinished().only("worker", "started_at"):
        host, _, pid = run.worker.rpartition(":")
        if host == own:
            is_lost = not _is_alive(int(pid), run.started_at.timestamp())
        else:
            is_lost = host not in hosts_alive and run.started_at < now - SILENT_FOR
        if is_lost:
            lost.append(run.pk)
    return close_as_lost(JobRun.objects.filter(pk__in=lost), now) if lost else 0


def _is_alive(pid: int, since: float) -> bool:
    try:
        process = psutil.Process(pid)
        # A process younger than the run has only inherited the number.
        is_old_enough = process.create_time() <= since + CLOCK_SECONDS
        return bool(is_old_enough and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        # It is there and says no more; a run that is closed too early is worse than one too late.
        return True
