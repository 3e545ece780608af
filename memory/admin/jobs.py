"""What the workers did, when they will do it again, and whether they are alive."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django_q.models import Schedule

from memory.admin.desk import CHANGE, Desk
from memory.admin.filters import MomentFilter
from memory.admin.forms import TimingForm
from memory.admin.sight import StaffRequest
from memory.models import EmbeddingModel, JobRun, User, WorkerBeat
from memory.services.schedules import retime_schedule


@admin.register(JobRun)
class JobDesk(Desk):
    """Runs of jobs, to read."""

    noun, nouns = "Job", "Jobs"
    about = "Every run of every job: how it ended and what it counted."
    pages = frozenset({CHANGE})

    list_display = ("kind", "outcome", "owner", "started_at", "finished_at", "attempt", "worker")
    list_filter = ("outcome", "kind", ("started_at", MomentFilter))
    ordering = ("-started_at", "-pk")
    fields = readonly_fields = (
        "kind", "outcome", "owner", "subject", "worked_in", "worker", "attempt", "counted",
        "error", "cost_usd", "started_at", "finished_at",
    )  # fmt: skip

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With the owner."""
        return rows.select_related("owner")

    def owner_of(self, row: JobRun) -> User | None:
        """The person whom it served."""
        return row.owner

    # The theme would color the raw value, by styles that the policy of the pages refuses.
    @admin.display(description="Counts")
    def counted(self, run: JobRun) -> str:
        """What it counted, in one line."""
        told = (f"{name.replace('_', ' ')} {many:,}" for name, many in run.counts.items() if many)
        return ", ".join(told)


@admin.register(Schedule)
class ScheduleDesk(Desk):
    """When jobs run; a person's timing stays until the code declares another."""

    noun, nouns = "Schedule", "Schedules"
    about = "When jobs run by the clock."
    pages = frozenset({CHANGE})
    is_readonly = False
    is_shared = True
    form = TimingForm
    fields = ("job", "minutes", "next_run")
    readonly_fields = ("job",)

    list_display = ("name", "minutes", "next_run", "cluster")
    list_filter = ()
    ordering = ("name",)

    @admin.display(description="Job")
    def job(self, schedule: Any) -> str:
        """Its name and what it runs."""
        return f"{schedule.name} ({schedule.func})"

    def save_model(self, request: StaffRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Have it run at other times.

        Raises: InvalidInput for a time that is none.
        """
        told = form.cleaned_data
        retime_schedule(obj.pk, minutes=told["minutes"], next_run=told["next_run"])


@admin.register(WorkerBeat)
class WorkerDesk(Desk):
    """Workers and when they were last heard from."""

    noun, nouns = "Worker", "Workers"
    about = "Who does the work, and when each was last heard from."
    is_shared = True
    list_display = ("name", "host", "pid", "started_at", "beat_at")
    list_display_links = None
    ordering = ("-beat_at",)


@admin.register(EmbeddingModel)
class EmbeddingModelDesk(Desk):
    """The models whose vectors are searched."""

    noun, nouns = "Embedding model", "Embedding models"
    about = "The models whose vectors are searched."
    is_shared = True
    list_display = ("name", "dimensions", "recorded_at")
    list_display_links = None
    ordering = ("name",)
