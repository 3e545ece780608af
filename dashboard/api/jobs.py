"""The queues, the jobs by the clock, and running one at once."""

from typing import Any

from django.http import Http404
from ninja import Router, Status

from dashboard.api.auth import ApiRequest
from memory.services.queue import Queue, queues
from memory.services.timetable import Planned, UnknownSchedule, planned_jobs, run_now

router = Router(tags=["operations"])


@router.get("queue", url_name="queue")
def read_queue(request: ApiRequest) -> Any:
    """What waits for a worker, and since when; null where the broker does not answer."""
    found = queues()
    known = [queue.waiting for queue in found if queue.waiting is not None]
    oldest = [queue.oldest_at for queue in found if queue.oldest_at]
    return {
        "waiting": sum(known) if known else None,
        "oldest_at": min(oldest, default=None),
        "queues": [_queue_json(queue) for queue in found],
    }


@router.get("schedules", url_name="schedule-list")
def list_schedules(request: ApiRequest) -> Any:
    """The jobs by the clock, with when each runs next."""
    return {"schedules": [_planned_json(plan) for plan in planned_jobs()]}


@router.post("schedules/{name}/run", response={202: dict[str, Any]}, url_name="schedule-run")
def run_schedule(request: ApiRequest, name: str) -> Any:
    """Run a job as soon as a worker is free; for staff, since it serves everybody."""
    principal = request.principal
    if not principal.user.is_staff or principal.agent:
        raise Http404
    try:
        run_now(name)
    except UnknownSchedule:
        raise Http404 from None
    return Status(202, {"name": name, "status": "queued"})


def _queue_json(queue: Queue) -> dict[str, Any]:
    return {"name": queue.name, "waiting": queue.waiting, "oldest_at": queue.oldest_at}


def _planned_json(plan: Planned) -> dict[str, Any]:
    return {
        "name": plan.name,
        "every": plan.every,
        "minutes": plan.minutes,
        "cluster": plan.cluster,
        "next_at": plan.next_at,
        "is_on": plan.is_on,
    }
