"""Memories: the list, one memory, and what a person may do with it."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.filters import FactFilter
from dashboard.forms import EditFactForm, FactForm, NewFactForm, readers_for
from dashboard.moments import moment_in
from dashboard.paging import paginate
from dashboard.queries.facts import (
    Facet,
    NewestFirst,
    agents_of,
    contradicting,
    facets,
    facets_counted,
    newer_than,
    replaced_by,
)
from dashboard.queries.history import (
    changes_of,
    forgotten_at,
    last_change,
    last_state,
    undo_url,
)
from dashboard.queries.lives import life_of
from dashboard.queries.rights import ONLY_STAFF, may_change
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in, wants_fragment
from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput, Permanent
from memory.domain.fields import ImportanceSource, Source
from memory.models import Fact
from memory.models.history import TRACKED
from memory.services.counts import counts_of
from memory.services.credentials import (
    PutAway,
    correct_without_secrets,
    remember_without_secrets,
)
from memory.services.facts import forget_fact, restore_fact
from memory.services.scopes import named_agent, scope_for_writing
from memory.services.undoing import undo_change

if TYPE_CHECKING:
    from django.core.paginator import Page

    from memory.models.facts import FactQuerySet

QUOTED = 60
MOST_DIGITS = 19
CHANGED_SINCE = "It was changed again since; nothing was undone."
CHANGED_MEANWHILE = "It was changed meanwhile. Save again to replace what it says now."


@require_safe
@signed_in
def fact_list(request: AuthedRequest) -> HttpResponse:
    """The memories that the address asks for."""
    counts = counts_of(request.principal)
    listing = FactFilter(request.GET, principal=request.principal, counts=counts)
    since = moment_in(request.GET.get("since"))
    if wants_fragment(request) and since:
        context: dict[str, Any] = {"number": newer_than(listing.qs, since), "since": since}
        return render(request, "dashboard/facts/_news.html", context)
    # All of them, or all of a kind, are counted already.
    is_counted = listing.narrows_by_kind_only()
    kinds = facets_counted(counts) if is_counted else facets(listing.of_any_kind())
    context = {
        "section": "facts",
        "filter": listing,
        "page": _page(request, listing, kinds),
        "as_of": counts.as_of if is_counted else None,
        "facets": kinds,
        "total": sum(facet.number for facet in kinds),
        "readers": readers_for(request.principal, agents_of(request.principal)),
        "now": timezone.now(),
    }
    name = "_results" if wants_fragment(request) else "list"
    return render(request, f"dashboard/facts/{name}.html", context)


def _page(request: AuthedRequest, listing: FactFilter, kinds: list[Facet]) -> "Page[Fact]":
    facts: FactQuerySet | NewestFirst = listing.qs
    if listing.is_newest_first():
        facts = NewestFirst(listing.qs, request.principal)
    wanted = listing.data.get("kind")
    number = sum(facet.number for facet in kinds if wanted in (None, "", facet.kind))
    return paginate(request, facts, number=number)


@require_safe
@signed_in
def fact_detail(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """One memory with its lifeline, where it comes from and what happened to it."""
    fact = _readable(request, pk)
    gone_at = None if fact.is_active else forgotten_at(request.principal, fact.pk)
    context = {
        "section": "documents" if fact.is_passage else "facts",
        "fact": fact,
        "life": life_of(fact, gone_at=gone_at),
        "changes": changes_of(request.principal, fact),
        "replaces": replaced_by(request.principal, fact.pk),
        "against": contradicting(request.principal, fact),
        "gone_at": gone_at,
    }
    return render(request, "dashboard/facts/detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def fact_create(request: AuthedRequest) -> HttpResponse:
    """Write a memory by hand."""
    readers = readers_for(request.principal, agents_of(request.principal))
    form = NewFactForm(request.POST or None, readers=readers)
    if request.method == "POST" and form.is_valid():
        try:
            fact = _remember(request, form.cleaned_data)
        except Permanent as error:
            form.refuse(error)
        else:
            return SeeOther(fact.get_absolute_url())
    context = {"section": "facts", "form": form, "back": reverse("fact-list")}
    return render(request, "dashboard/facts/create.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def fact_edit(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Correct a memory; the old wording stays in its history."""
    fact = _readable(request, pk)
    form = EditFactForm(request.POST or None, fact=fact)
    context = {"section": "facts", "fact": fact, "form": form, "back": fact.get_absolute_url()}
    status = _status(form)
    if not may_change(request.principal, fact.scope):
        if not form.is_bound:
            raise PermissionDenied(ONLY_STAFF)
        # What was typed stays on the page, to be copied.
        form.add_error(None, ONLY_STAFF)
        status = 403
    elif request.method == "POST" and form.is_valid():
        if form.is_outdated():
            form.add_error(None, CHANGED_MEANWHILE)
            form.catch_up()
            context, status = context | {"differences": form.differences()}, 409
        elif _correct(request, fact, form):
            return SeeOther(fact.get_absolute_url())
    return render(request, "dashboard/facts/edit.html", context, status=status)


@require_POST
@signed_in
def fact_forget(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Take a memory out of use; Undo brings it back."""
    fact, state = _readable(request, pk), _state(request)
    if state is not None and state != last_state(request.principal, pk):
        # The button undoes that the memory was kept, and it was changed after that.
        messages.error(request, CHANGED_SINCE)
        return SeeOther(next_page(request, fact.get_absolute_url()))
    forget_fact(principal=request.principal, fact_id=pk)
    undo = undo_url("fact-undo", pk, last_state(request.principal, pk))
    messages.success(request, f"Forgot “{_quoted(fact)}”.", extra_tags=undo)
    return SeeOther(next_page(request, reverse("fact-list")))


@require_POST
@signed_in
def fact_restore(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Bring a forgotten memory back."""
    _readable(request, pk)
    kept = restore_fact(principal=request.principal, fact_id=pk)
    word = "Restored" if kept.pk == pk else "Joined with the memory that says the same:"
    messages.success(request, f"{word} “{_quoted(kept)}”.")
    return SeeOther(next_page(request, kept.get_absolute_url()))


@require_POST
@signed_in
def fact_undo(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Put back what the last change of a memory changed."""
    fact, principal = _readable(request, pk), request.principal
    last = last_change(principal, fact)
    expected = _state(request) or (last.state if last else None)
    try:
        kept = undo_change(principal=principal, fact_id=pk, expected=expected)
    except InvalidInput as error:
        messages.error(request, str(error))
        return SeeOther(next_page(request, fact.get_absolute_url()))
    joined = f"Joined with the memory that says the same: “{_quoted(kept)}”."
    messages.success(request, last.put_back if last and kept.pk == pk else joined)
    return SeeOther(next_page(request, kept.get_absolute_url()))


def _readable(request: AuthedRequest, pk: UUID) -> Fact:
    fact: Fact = get_object_or_404(Fact.objects.visible_to(request.principal).with_parts(), pk=pk)
    return fact


def _correct(request: AuthedRequest, fact: Fact, form: EditFactForm) -> bool:
    """Save what was changed; False when the form shows why it was refused."""
    changes = form.changes()
    principal = request.principal
    try:
        _, put = correct_without_secrets(principal=principal, fact_id=fact.pk, changes=changes)
    except Permanent as error:
        form.refuse(error)
        return False
    _tell(request, put)
    # Only what the history tracks can be put back.
    is_tracked = bool(set(changes) & set(TRACKED))
    state = last_state(principal, fact.pk) if is_tracked else None
    undo = undo_url("fact-undo", fact.pk, state) if is_tracked else ""
    messages.success(request, "Saved." if changes else "Nothing changed.", extra_tags=undo)
    return True


def _remember(request: AuthedRequest, typed: dict[str, Any]) -> Fact:
    fields = {name: value for name, value in typed.items() if name not in {"scope", "tags"}}
    draft = FactDraft(
        **fields,
        tags=tuple(typed["tags"]),
        source=Source.PERSON,
        importance_source=ImportanceSource.USER,
    )
    kind, _, agent = typed["scope"].partition(":")
    principal = request.principal
    scope = scope_for_writing(principal, kind=kind, agent=named_agent(principal, agent))
    remembered, put = remember_without_secrets(principal=principal, scope=scope, draft=draft)
    _tell(request, put)
    if remembered.is_duplicate:
        messages.info(request, "This was remembered before. Here it is.")
    else:
        kept = remembered.fact.pk
        undo = undo_url("fact-forget", kept, last_state(principal, kept))
        messages.success(request, "Remembered.", extra_tags=undo)
    return remembered.fact


def _tell(request: AuthedRequest, put: list[PutAway]) -> None:
    """Say what became of the secrets that were masked."""
    for each in put:
        messages.info(request, f"{each.note[0].upper()}{each.note[1:]}.")


def _status(form: FactForm) -> int:
    return 400 if form.is_bound else 200


def _quoted(fact: Fact) -> str:
    text = " ".join(fact.text.split()).removesuffix(".")
    return text if len(text) <= QUOTED else f"{text[:QUOTED].rstrip()}…"


def _state(request: AuthedRequest) -> int | None:
    """The state of the memory that an Undo belongs to; none for other buttons."""
    given = request.GET.get("state", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < MOST_DIGITS else None
