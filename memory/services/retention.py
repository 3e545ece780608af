"""What is dropped after its time."""

from datetime import timedelta

from django.utils import timezone

from memory.models import JobRun, SignInLink

JOB_RUNS_KEPT = timedelta(days=30)
LINKS_KEPT = timedelta(days=1)


def drop_old_job_runs() -> dict[str, int]:
    """Delete job runs older than 30 days."""
    old = JobRun.objects.filter(started_at__lt=timezone.now() - JOB_RUNS_KEPT)
    return {"dropped": old.delete()[0]}


def drop_old_sign_in_links() -> dict[str, int]:
    """Delete sign-in links that ended a day ago."""
    old = SignInLink.objects.filter(expires_at__lt=timezone.now() - LINKS_KEPT)
    return {"dropped": old.delete()[0]}
