"""What the workers did, and whether they are alive."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from memory.models.identifiers import new_id

if TYPE_CHECKING:
    from memory.models.principals import Principal
    from memory.models.users import User


class JobRunQuerySet(models.QuerySet["JobRun"]):
    """Reads of job runs."""

    def visible_to(self, principal: "Principal") -> Self:
        """The user's own runs and those that serve everybody, which hold counts only.

        Through an agent, of the user's runs only those inside its ceiling.
        """
        own = Q(owner=principal.user)
        if principal.agent:
            own &= Q(worked_in__in=principal.scopes())
        return self.filter(own | Q(owner=None))

    def latest_first(self) -> Self:
        """The last started first."""
        return self.order_by("-started_at", "-pk")

    def unfinished(self) -> Self:
        """Runs that are under way, or were when their worker died."""
        return self.filter(finished_at=None)

    def of_kind(self, kind: str) -> Self:
        """Runs of one kind of job."""
        return self.filter(kind=kind)

    def gone_wrong(self) -> Self:
        """Runs that failed, or whose worker died."""
        return self.filter(outcome__in=["failed", "lost"])

    def paid(self) -> Self:
        """Runs with a price."""
        return self.filter(cost_usd__isnull=False)

    def about(self, subject_id: UUID) -> Self:
        """Runs that worked on this row."""
        return self.filter(subject=subject_id)

    def without_good_end(self) -> Self:
        """Runs that went wrong, or have not ended."""
        return self.filter(Q(finished_at=None) | Q(outcome__in=["failed", "lost"]))


class JobRun(models.Model):
    """One run of one job."""

    class Outcome(models.TextChoices):
        """How a run ended."""

        RUNNING = "running"
        DONE = "done"
        NOTHING = "nothing to do"
        FAILED = "failed"
        CANCELED = "canceled"
        LOST = "lost"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=40)
    owner = models.ForeignKey(
        "memory.User", on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    subject = models.UUIDField(null=True, blank=True)
    worked_in = models.UUIDField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=16, choices=Outcome.choices, default=Outcome.RUNNING)
    counts = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    cost_usd = models.DecimalField(max_digits=18, decimal_places=9, null=True, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobRunQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["kind", "-started_at"], name="job_kind_started"),
            models.Index(fields=["subject"], name="job_subject"),
            models.Index(
                fields=["started_at"], condition=Q(finished_at=None), name="job_unfinished"
            ),
            models.Index(fields=["-started_at", "-id"], name="job_latest"),
            models.Index(
                fields=["-started_at"],
                condition=Q(outcome__in=["failed", "lost"]),
                name="job_gone_wrong",
            ),
            models.Index(
                fields=["owner", "-started_at"],
                condition=Q(cost_usd__isnull=False),
                name="job_paid",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.outcome}"

    def get_absolute_url(self) -> str:
        """The run's page in Mission Control."""
        return reverse("job-detail", args=[self.pk])

    @property
    def took(self) -> timedelta | None:
        """How long the run lasted; None while it runs."""
        # A probe's row stays as long as its answer does, which is no time that the work took.
        if self.finished_at is None or self.kind.startswith("probe-"):
            return None
        return self.finished_at - self.started_at

    @property
    def headline(self) -> str:
        """The first line of what went wrong."""
        return self.error.partition("\n")[0]

    def counts_for(self, user: "User") -> dict[str, int]:
        """What the run counted; of a run that serves everybody, only staff are told."""
        is_told = self.owner_id == user.pk or user.is_staff
        return dict(self.counts) if is_told else {}


class WorkerBeatQuerySet(models.QuerySet["WorkerBeat"]):
    """Reads of beats."""

    def alive(self, now: datetime, seconds: float) -> Self:
        """Workers that were heard from within this many seconds."""
        return self.filter(beat_at__gte=now - timedelta(seconds=seconds))


class WorkerBeat(models.Model):
    """When a worker was last heard from."""

    name = models.CharField(max_length=120, primary_key=True)
    host = models.CharField(max_length=120)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField(default=timezone.now)
    beat_at = models.DateTimeField(default=timezone.now)

    objects = WorkerBeatQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class ScheduleDeclaration(models.Model):
    """The hash of a schedule as the code last declared it, so that a person's edit survives."""

    name = models.CharField(max_length=100, primary_key=True)
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.name
