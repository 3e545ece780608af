"""Conversations: the list, the reader, and keeping a transcript."""

from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.conversation_filter import ConversationFilter
from dashboard.doubts import A_RULE, THE_CLASSIFIER, Unsure, unsaid, unsure_in, unsure_of
from dashboard.moments import moment_in
from dashboard.numbers import plural
from dashboard.paging import paginate
from dashboard.queries.conversations import conversations_of, newer_than, summaries
from dashboard.queries.facts import agents_of
from dashboard.queries.turns import (
    Heard,
    heard,
    place_of,
    scopes_of,
    totals_of,
    turns_of,
    with_outcome,
)
from dashboard.transcript_form import TranscriptForm
from dashboard.underlines import Underlined, marks_of, underline
from dashboard.views.access import AuthedRequest, SeeOther, signed_in, wants_fragment
from memory.domain.errors import Permanent
from memory.domain.text import clean_text
from memory.domain.transcripts import speakers_of
from memory.models import Conversation
from memory.services.removal import remove_conversation
from memory.services.transcripts import (
    Foreseen,
    KeptTranscript,
    foresee,
    keep_transcript,
    stored_conversation,
    title_of,
)

TURNS_PER_PAGE = 100
MOST_WORDS = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One turn as a page shows it: its text in pieces, what it gave, and what was unsure.

    `reason` is why it gave nothing, as far as what was unsure does not say so.
    """

    heard: Heard | Foreseen
    underlined: Underlined
    unsure: list[Unsure]
    reason: str


@require_safe
@signed_in
def conversation_list(request: AuthedRequest) -> HttpResponse:
    """The conversations that the address asks for."""
    listing = ConversationFilter(request.GET, principal=request.principal)
    since = moment_in(request.GET.get("since"))
    if wants_fragment(request) and since:
        context: dict[str, Any] = {"number": newer_than(listing.qs, since), "since": since}
        return render(request, "dashboard/conversations/_news.html", context)
    page = paginate(request, listing.qs)
    context = {
        "section": "conversations",
        "filter": listing,
        "page": page,
        "rows": summaries(request.principal, list(page), listing.words),
        "now": timezone.now(),
    }
    name = "_results" if wants_fragment(request) else "list"
    return render(request, f"dashboard/conversations/{name}.html", context)


@require_safe
@signed_in
def conversation_detail(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """One conversation, turn by turn, with what each gave or why it gave nothing."""
    principal, conversation = request.principal, _readable(request, pk)
    words = clean_text(request.GET.get("q", "")).strip()[:MOST_WORDS]
    outcome = request.GET.get("outcome", "")
    turns = with_outcome(turns_of(principal, conversation), outcome)
    turns = turns.containing(words) if words else turns
    wanted = _id(request.GET.get("turn"))
    place = place_of(turns, wanted) if wanted else None
    pages = Paginator(turns, TURNS_PER_PAGE)
    number = request.GET.get("page") or (place or 0) // TURNS_PER_PAGE + 1
    page = pages.get_page(number)
    context = {
        "section": "conversations",
        "conversation": conversation,
        "totals": totals_of(principal, conversation),
        "scopes": scopes_of(principal, conversation),
        "page": page,
        "lines": [_line(each, words) for each in heard(principal, list(page))],
        "words": words,
        "outcome": outcome,
        "wanted": wanted,
    }
    name = "_results" if wants_fragment(request) else "detail"
    return render(request, f"dashboard/conversations/{name}.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def conversation_create(request: AuthedRequest) -> HttpResponse:
    """Read a transcript, show what would be kept of it, and keep it when that is wanted."""
    principal = request.principal
    form = TranscriptForm(
        request.POST or None,
        request.FILES or None,
        principal=principal,
        agents=agents_of(principal),
    )
    context: dict[str, Any] = {"section": "conversations", "form": form}
    if request.method == "POST" and form.is_valid():
        try:
            if request.POST.get("action") == "keep":
                return _keep(request, form)
            context |= _foreseen(request, form)
        except Permanent as error:
            form.refuse(error)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "dashboard/conversations/create.html", context, status=status)


@require_POST
@signed_in
def conversation_delete(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Delete a conversation with its turns; the memories that its owner uses elsewhere stay."""
    conversation = _readable(request, pk)
    remove_conversation(principal=request.principal, conversation_id=pk)
    messages.success(request, f"Deleted “{conversation}” and its turns.")
    return SeeOther(reverse("conversation-list"))


def _readable(request: AuthedRequest, pk: UUID) -> Conversation:
    rows = conversations_of(request.principal)
    conversation: Conversation = get_object_or_404(rows, pk=pk)
    return conversation


def _line(each: Heard, words: str) -> Line:
    unsure = unsure_in(each.turn.doubts)
    marks = marks_of(each.turn.signals, unsure)
    reason = unsaid(each.turn.skipped, unsure)
    return Line(each, underline(each.turn.text, marks, words), unsure, reason)


def _foreseen(request: AuthedRequest, form: TranscriptForm) -> dict[str, Any]:
    keeping = form.keeping()
    foreseen = foresee(request.principal, keeping)
    given = [record for each in foreseen for record in each.perception.records]
    page = Paginator(foreseen, TURNS_PER_PAGE).get_page(request.POST.get("page"))
    return {
        "keeping": keeping,
        "title": title_of(keeping),
        "speakers": speakers_of(keeping.transcript),
        "stored": stored_conversation(request.principal, keeping),
        "page": page,
        "lines": [_line_ahead(each) for each in page],
        "gave": sum(bool(each.perception.records) for each in foreseen),
        "given": len(given),
        "known": sum(len(each.known) for each in foreseen),
        "secrets": sum(each.secrets for each in foreseen),
        "undecided": sum(not each.is_decided for each in foreseen),
    }


def _line_ahead(each: Foreseen) -> Line:
    perception = each.perception
    judge = THE_CLASSIFIER if each.is_decided else A_RULE
    unsure = unsure_of(perception.doubts, judge=judge)
    signals = [asdict(signal) for signal in perception.signals]
    underlined = underline(each.draft.text, marks_of(signals, unsure))
    return Line(each, underlined, unsure, unsaid(perception.skipped or "", unsure))


def _keep(request: AuthedRequest, form: TranscriptForm) -> HttpResponse:
    kept = keep_transcript(principal=request.principal, keeping=form.keeping())
    messages.success(request, _told(kept))
    return SeeOther(kept.conversation.get_absolute_url())


def _told(kept: KeptTranscript) -> str:
    if kept.is_repeat:
        return "This transcript is stored already. Here it is."
    turns, facts = plural(kept.turns, "turn,turns"), plural(kept.facts, "memory,memories")
    return f"Stored {turns}, which gave {facts}."


def _id(given: str | None) -> UUID | None:
    try:
        return UUID(given or "")
    except ValueError:
        return None
