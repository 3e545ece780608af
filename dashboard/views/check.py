"""The first-run check: every part, green or with what to do."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dashboard.queries.check import check_lines
from dashboard.views.access import AuthedRequest, signed_in, wants_fragment


@require_safe
@signed_in
def check(request: AuthedRequest) -> HttpResponse:
    """The state of each part, as of now."""
    context = {"section": "check", "lines": check_lines()}
    name = "_lines" if wants_fragment(request) else "page"
    return render(request, f"dashboard/check/{name}.html", context)
