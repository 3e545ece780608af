"""What workers find out about a part by trying it: one row as long as the answer stays."""

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from memory.models import JobRun
from memory.services.hosts import host_name

if TYPE_CHECKING:
    from collections.abc import Mapping

PARSER = "probe-parser"
OCR = "probe-ocr"
# What a try of the parser finds besides: guards that hold for native code too.
NO_NETWORK, NO_SOCKETS, OWN_FILES = "no network", "no sockets", "own files only"
FRESH = timedelta(minutes=5)


def note_probe(kind: str, error: str, found: "Mapping[str, int] | None" = None) -> None:
    """Keep what this host's last try of the part gave; an empty `error` means that it works.

    Shape: `found` is what else came out of it, by name.
    """
    now, host = timezone.now(), host_name()
    outcome = JobRun.Outcome.FAILED if error else JobRun.Outcome.DONE
    last = JobRun.objects.filter(kind=kind, worker=host).latest_first().first()
    counts = dict(found or {})
    if last is not None and (last.outcome, last.error, last.counts) == (outcome, error, counts):
        JobRun.objects.filter(pk=last.pk).update(finished_at=now)
        return
    JobRun.objects.create(
        kind=kind, worker=host, outcome=outcome, error=error, counts=counts, finished_at=now
    )


def was_probed(kind: str, within: timedelta) -> bool:
    """Whether this host tried the part so lately."""
    since = timezone.now() - within
    own = JobRun.objects.filter(kind=kind, worker=host_name())
    return own.filter(finished_at__gt=since).exists()


def last_probe(kind: str) -> JobRun | None:
    """The last try of the part on any host, None if nobody has tried it lately."""
    return JobRun.objects.filter(kind=kind).order_by("-finished_at").first()


def failing(kind: str) -> list[str]:
    """What is wrong with the part on each host where its last try failed lately."""
    return [run.error for run in _last_of_hosts(kind) if run.outcome == JobRun.Outcome.FAILED]


def found_everywhere(kind: str) -> dict[str, int] | None:
    """The least that the last good try found on any host, by name; None if there was no try."""
    good = [run.counts for run in _last_of_hosts(kind) if run.outcome == JobRun.Outcome.DONE]
    if not good:
        return None
    names = {name for counts in good for name in counts}
    return {name: min(counts.get(name, 0) for counts in good) for name in names}


def _last_of_hosts(kind: str) -> list[JobRun]:
    fresh = JobRun.objects.filter(kind=kind, finished_at__gt=timezone.now() - FRESH)
    return list(fresh.order_by("worker", "-started_at", "-pk").distinct("worker"))
