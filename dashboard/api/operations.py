"""Jobs, counts and health."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from ninja import Query, Router, Schema

from dashboard.api.auth import ApiRequest
from dashboard.api.cursors import require_page_size
from dashboard.api.schemas import Text
from dashboard.queries.counts import counts_for
from dashboard.queries.listings import having
from memory.models import JobRun, User
from memory.services.health import check_parts, is_ready

router = Router(tags=["operations"])


class JobQuery(Schema):
    """Filters of the list."""

    kind: Text | None = None
    outcome: Text | None = None
    limit: int = 50


@router.get("jobs", url_name="job-list")
def list_jobs(request: ApiRequest, query: Query[JobQuery]) -> Any:
    """The last runs of the asker's jobs and of those that serve everybody."""
    rows = JobRun.objects.visible_to(request.principal).latest_first()
    rows = having(rows, {"kind": query.kind, "outcome": query.outcome})
    runs = rows[: require_page_size(query.limit)]
    return {"jobs": [job_json(run, request.principal.user) for run in runs]}


@router.get("stats", url_name="stats")
def read_stats(request: ApiRequest) -> Any:
    """Counts of what the asker can see."""
    return counts_for(request.principal)


@router.get("health/live", auth=None, url_name="health-live")
def live(request: HttpRequest) -> Any:
    """Whether this process answers at all."""
    return {"status": "ok"}


@router.get("health/ready", auth=None, url_name="health-ready")
def ready(request: HttpRequest) -> JsonResponse:
    """Each part with its state and remedy; 503 only when the product cannot work.

    What is wrong in detail is for those who are signed in.
    """
    parts, is_stranger = check_parts(), getattr(request, "principal", None) is None
    status = 200 if is_ready(parts) else 503
    body = {
        "status": "ok" if status == 200 else "down",
        "parts": [part.as_public_json() if is_stranger else part.as_json() for part in parts],
    }
    return JsonResponse(body, status=status)


def job_json(run: JobRun, user: User) -> dict[str, Any]:
    """A run as this user's clients see it."""
    fields = (
        "id", "kind", "subject", "attempt", "outcome", "error", "cost_usd", "started_at",
        "finished_at",
    )  # fmt: skip
    return {name: getattr(run, name) for name in fields} | {"counts": run.counts_for(user)}
