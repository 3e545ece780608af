"""Changing many memories at once, from the bar under the list."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.views.decorators.http import require_POST

from dashboard.bulk import VERBS, change_many, undo_many
from dashboard.filters import FactFilter
from dashboard.views.access import AuthedRequest, SeeOther, signed_in
from memory.domain.errors import InvalidInput
from memory.services.counts import counts_of
from memory.services.scopes import named_agent, scope_for_writing

MOST_AT_ONCE = 1_000
UNDO = "bulk_undo"
NOTHING_CHOSEN = "Nothing was selected."
UNDONE_ALREADY = "This was undone before, or something else was changed after it."


@require_POST
@signed_in
def fact_bulk(request: AuthedRequest) -> HttpResponse:
    """Do one thing to the selected memories, or to all that the list's filters match."""
    query, action = request.POST.get("query", "").removeprefix("?"), request.POST.get("action", "")
    back = SeeOther(f"{reverse('fact-list')}{'?' if query else ''}{query}")
    try:
        ids, value = _chosen(request, query), _value(request, action)
        done = change_many(principal=request.principal, fact_ids=ids, action=action, value=value)
    except (InvalidInput, PermissionDenied) as refusal:
        messages.error(request, str(refusal))
        return back
    say = messages.success if done.is_whole else messages.warning
    say(request, done.sentence, extra_tags=_undo_address(request, done.changed))
    return back


def listing_of(request: AuthedRequest, query: str) -> FactFilter:
    """The list of memories that an address asked for, by its part after the question mark."""
    counts = counts_of(request.principal)
    return FactFilter(QueryDict(query), principal=request.principal, counts=counts)


def ids_in(request: AuthedRequest) -> list[UUID]:
    """The ids of the selected rows."""
    return [UUID(each) for each in request.POST.getlist("ids") if _is_id(each)]


@require_POST
@signed_in
def fact_bulk_undo(request: AuthedRequest, key: str) -> HttpResponse:
    """Put back what the last change of many changed."""
    kept = request.session.get(UNDO)
    if not kept or kept["key"] != key:
        messages.error(request, UNDONE_ALREADY)
    else:
        del request.session[UNDO]
        messages.success(request, undo_many(principal=request.principal, changed=kept["changed"]))
    return SeeOther(reverse("fact-list"))


def _chosen(request: AuthedRequest, query: str) -> list[UUID]:
    ids = _matching(request, query) if request.POST.get("everything") else ids_in(request)
    if not ids:
        raise InvalidInput(NOTHING_CHOSEN)
    if len(ids) > MOST_AT_ONCE:
        raise InvalidInput(
            f"More than {MOST_AT_ONCE:,} memories match, and so many are changed at once at most. "
            "Narrow the filters, or use the admin."
        )
    return ids


def _matching(request: AuthedRequest, query: str) -> list[UUID]:
    listing = listing_of(request, query)
    found: list[UUID] = list(listing.qs.values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    return found


def _is_id(given: str) -> bool:
    try:
        UUID(given)
    except ValueError:
        return False
    return True


def _value(request: AuthedRequest, action: str) -> Any:
    if action not in VERBS:
        raise InvalidInput("Choose what to do with the selected memories.")
    if action == "category":
        return request.POST.get("category", "")
    if action == "tags":
        return _tags(request, "add"), _tags(request, "remove")
    if action == "scope":
        return _scope(request)
    return None


def _tags(request: AuthedRequest, name: str) -> Sequence[str]:
    return [tag.strip() for tag in request.POST.get(name, "").split(",") if tag.strip()]


def _scope(request: AuthedRequest) -> Any:
    kind, _, agent = request.POST.get("scope", "").partition(":")
    try:
        named = named_agent(request.principal, agent)
    except ObjectDoesNotExist:
        raise InvalidInput("There is no such agent.", field="scope") from None
    return scope_for_writing(request.principal, kind=kind, agent=named)


def _undo_address(request: AuthedRequest, changed: Sequence[Any]) -> str:
    if not changed:
        return ""
    key = get_random_string(22)
    request.session[UNDO] = {"key": key, "changed": changed}
    return reverse("fact-bulk-undo", args=[key])
