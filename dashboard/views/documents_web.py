"""Documents from the web: one address, fetched and kept."""

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.forms import AddressForm, readers_for
from dashboard.queries.facts import agents_of
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in
from ingest.services.fetching import store_address
from memory.domain.errors import InvalidInput
from memory.services.scopes import named_agent, scope_for_writing


@require_POST
@signed_in
def document_fetch(request: AuthedRequest) -> HttpResponse:
    """Keep what a web address holds, and say why not if it cannot be had."""
    form = AddressForm(request.POST, readers=readers_for(request.principal, _agents(request)))
    if form.is_valid():
        _fetch(request, form.cleaned_data["url"], form.cleaned_data["scope"])
    else:
        messages.error(request, str(next(iter(form.errors.values()))[0]))
    return SeeOther(next_page(request, reverse("document-list")))


def _fetch(request: AuthedRequest, address: str, reader: str) -> None:
    principal = request.principal
    kind, _, agent = reader.partition(":")
    scope = scope_for_writing(principal, kind=kind, agent=named_agent(principal, agent))
    try:
        stored = store_address(principal=principal, scope=scope, address=address)
    except InvalidInput as error:
        messages.error(request, str(error))
        return
    word = "is already stored." if stored.is_duplicate else "is stored and waits to be read."
    messages.success(request, f"“{stored.document.name}” {word}")


def _agents(request: AuthedRequest) -> list[object]:
    return list(agents_of(request.principal))
