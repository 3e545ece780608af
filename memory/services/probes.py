"""What workers find out about a part by trying it: one row as long as the answer stays."""

from datetime import timedelta

from django.utils import timezone

from memory.models import JobRun
from memory.services.hosts import host_name

PARSER = "probe-parser"
OCR = "probe-ocr"
FRESH = timedelta(minutes=5)


def note_probe(kind: str, error: str) -> None:
    """Keep what this host's last try of the part gave; an empty `error` means that it works."""
    now, host = timezone.now(), host_name()
    outcome = JobRun.Outcome.FAILED if error else JobRun.Outcome.DONE
    last = JobRun.objects.filter(kind=kind, worker=host).latest_first().first()
    if last is not None and (last.outcome, last.error) == (outcome, error):
        JobRun.objects.filter(pk=last.pk).update(finished_at=now)
        return
    JobRun.objects.create(kind=kind, worker=host, outcome=outcome, error=error, finished_at=now)


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
    fresh = JobRun.objects.filter(kind=kind, finished_at__gt=timezone.now() - FRESH)
    last = fresh.order_by("worker", "-started_at", "-pk").distinct("worker")
    return [run.error for run in last if run.outcome == JobRun.Outcome.FAILED]
