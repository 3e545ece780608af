"""Taking memories along."""

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.exports import archive_download, lines_download
from dashboard.queries.facts import among
from dashboard.views.access import AuthedRequest, SeeOther, signed_in
from dashboard.views.bulk import NOTHING_CHOSEN, ids_in, listing_of


@require_POST
@signed_in
def fact_export(request: AuthedRequest) -> HttpResponseBase:
    """The selected memories, or all that the list's filters match, as lines of JSON."""
    query = request.POST.get("query", "").removeprefix("?")
    listing = listing_of(request, query).qs
    if request.POST.get("everything"):
        return lines_download(request.principal, listing)
    if ids := ids_in(request):
        return lines_download(request.principal, among(listing, ids))
    messages.error(request, NOTHING_CHOSEN)
    return SeeOther(f"{reverse('fact-list')}{'?' if query else ''}{query}")


@require_POST
@signed_in
def everything_export(request: AuthedRequest) -> HttpResponseBase:
    """All that a person has here, as one archive that `manage.py import` reads."""
    return archive_download(request.principal)
