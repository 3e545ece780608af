"""Taking memories along."""

from collections.abc import Callable

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.downloads import Download
from dashboard.exports import archive_download, lines_download
from dashboard.queries.facts import among
from dashboard.views.access import AuthedRequest, SeeOther, signed_in
from dashboard.views.bulk import NOTHING_CHOSEN, ids_in, listing_of
from memory.domain.errors import InvalidInput
from memory.models.facts import FactQuerySet
from memory.services.timetable import Busy


@require_POST
@signed_in
def fact_export(request: AuthedRequest) -> HttpResponseBase:
    """The selected memories, or all that the list's filters match, as lines of JSON."""
    query = request.POST.get("query", "").removeprefix("?")
    back = f"{reverse('fact-list')}{'?' if query else ''}{query}"
    return _handed_over(
        request, lambda: lines_download(request.principal, _chosen(request, query)), back
    )


@require_POST
@signed_in
def everything_export(request: AuthedRequest) -> HttpResponseBase:
    """All that a person has here, as one archive that `manage.py import` reads."""
    return _handed_over(request, lambda: archive_download(request.principal), reverse("settings"))


def _handed_over(
    request: AuthedRequest, write: Callable[[], Download], back: str
) -> HttpResponseBase:
    """The file, or the page with the button, which says why there is none."""
    try:
        return write()
    except (InvalidInput, Busy) as refusal:
        messages.error(request, str(refusal))
        return SeeOther(back)


def _chosen(request: AuthedRequest, query: str) -> FactQuerySet:
    listing: FactQuerySet = listing_of(request, query).qs
    if request.POST.get("everything"):
        return listing
    if ids := ids_in(request):
        return among(listing, ids)
    raise InvalidInput(NOTHING_CHOSEN)
