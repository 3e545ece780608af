"""Jobs: what runs, when it runs next, and what went wrong."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.filters import JobFilter
from dashboard.moments import moment_in
from dashboard.paging import paginate
from dashboard.queries.documents import documents_worked_on
from dashboard.queries.jobs import (
    kinds_of,
    newer_than,
    planned_rows,
    runs_of,
    silent_since,
    troubles,
    workers,
)
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in, wants_fragment
from memory.domain.errors import Retryable
from memory.services.queue import queues
from memory.services.timetable import Busy, UnknownSchedule, run_now

CHOSEN = "It starts when a worker is free."


@require_safe
@signed_in
def job_list(request: AuthedRequest) -> HttpResponse:
    """Each kind of job with its heartbeats, what needs a look, and the runs that are asked for."""
    if not wants_fragment(request):
        context = _live(request) | _listed(request)
        return render(request, "dashboard/jobs/list.html", context)
    after = moment_in(request.GET.get("after"))
    if after is None:
        return render(request, "dashboard/jobs/_results.html", _live(request))
    context = {"number": newer_than(_filtered(request).qs, after)}
    return render(request, "dashboard/jobs/_news.html", context)


def _live(request: AuthedRequest) -> dict[str, Any]:
    return {
        "section": "jobs",
        "rows": planned_rows(request.principal),
        "troubles": troubles(request.principal, timezone.now()),
        "workers": workers(),
        "silent_since": silent_since(),
        "queues": queues(),
    }


def _listed(request: AuthedRequest) -> dict[str, Any]:
    listing = _filtered(request)
    page = paginate(request, listing.qs)
    documents = documents_worked_on(request.principal, page)
    return {"filter": listing, "page": page, "documents": documents, "now": timezone.now()}


def _filtered(request: AuthedRequest) -> JobFilter:
    return JobFilter(
        request.GET, runs=runs_of(request.principal), kinds=kinds_of(request.principal)
    )


@require_safe
@signed_in
def job_detail(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """One run with all that is known of it."""
    run = get_object_or_404(runs_of(request.principal), pk=pk)
    documents = documents_worked_on(request.principal, [run])
    context = {"section": "jobs", "run": run, "documents": documents}
    name = "_run" if wants_fragment(request) else "detail"
    return render(request, f"dashboard/jobs/{name}.html", context)


@require_POST
@signed_in
def job_run(request: AuthedRequest, name: str) -> HttpResponse:
    """Run a job by the clock at once; it serves everybody, so only staff may."""
    if not request.user.is_staff:
        raise Http404
    try:
        run_now(name)
    except UnknownSchedule:
        raise Http404 from None
    except (Busy, Retryable) as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, CHOSEN)
    return SeeOther(next_page(request, reverse("job-list")))
