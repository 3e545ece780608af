"""The first page: what is stored, what happens now, and what needs a person."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dashboard.queries.activity import recent_doings
from dashboard.queries.check import check_lines
from dashboard.queries.costs import costs_of
from dashboard.queries.documents import document_totals, under_way
from dashboard.queries.jobs import job_rows
from dashboard.queries.needs import needs_of
from dashboard.queries.overview import kind_rows
from dashboard.queries.scopes import scope_totals
from dashboard.queries.tiles import tiles_of
from dashboard.queries.two_step import opens_by_links_only
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in, wants_fragment
from memory.services.counts import counts_of, recount

DOINGS = 8
UNDER_WAY = 6


@require_safe
@signed_in
def overview(request: AuthedRequest) -> HttpResponse:
    """Counts, costs, what is being read, and what changed."""
    principal, now = request.principal, timezone.now()
    counts, lines = counts_of(principal), check_lines()
    totals, costs = document_totals(principal), costs_of(principal, now)
    doings, needs = recent_doings(principal, DOINGS), needs_of(principal, totals, lines, now)
    context = {
        "section": "overview",
        "now": now,
        "counts": counts,
        "kinds": kind_rows(counts),
        "lines": lines,
        "unwell": sum(line.is_unwell for line in lines),
        "needs": needs,
        "needs_number": sum(need.number for need in needs),
        "tiles": tiles_of(principal, counts, costs, now),
        "totals": totals,
        "under_way": under_way(principal, UNDER_WAY) if totals.in_flight else [],
        "doings": doings,
        "costs": costs,
        "jobs": job_rows(principal),
        "scopes": scope_totals() if request.user.is_staff else None,
        "only_links": opens_by_links_only(request.user),
        "is_empty": not doings and not totals.stored,
    }
    name = "_results" if wants_fragment(request) else "page"
    return render(request, f"dashboard/overview/{name}.html", context)


@require_POST
@signed_in
def overview_recount(request: AuthedRequest) -> HttpResponse:
    """Count anew what this person can see."""
    recount(request.principal)
    return SeeOther(next_page(request, "/"))
