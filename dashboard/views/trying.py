"""Try a message: what would be kept of it, and why."""

from dataclasses import asdict, dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.doubts import A_RULE, THE_CLASSIFIER, Unsure, unsure_of
from dashboard.message_form import EXAMPLES, MessageForm
from dashboard.record_rows import Card, card_of
from dashboard.underlines import Underlined, marks_of, underline
from dashboard.views.access import AuthedRequest, signed_in, wants_fragment
from memory.domain.errors import InvalidInput, Permanent, Retryable
from memory.models import Turn
from memory.services.perceptions import Examined

PAGE = "dashboard/trying/page.html"
RESULTS = "dashboard/trying/_results.html"


@dataclass(frozen=True, slots=True)
class Tried:
    """All that a page shows of an examined message."""

    examined: Examined
    underlined: Underlined
    cards: list[Card]
    unsure: list[Unsure]


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def try_message(request: AuthedRequest) -> HttpResponse:
    """A message field; nothing that is sent is stored."""
    if request.method == "POST":
        # A button that brings a text along has who said it in its address.
        form = MessageForm({**request.GET.dict(), **request.POST.dict()})
    else:
        form = MessageForm(_example(request.GET.get("example", "")))
    return _answered(request, form)


@require_safe
@signed_in
def try_turn(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """The page with what was said in a turn."""
    turn = get_object_or_404(Turn.objects.visible_to(request.principal), pk=pk)
    # With its offset: in the night when clocks go back, an hour alone would be two moments.
    said_at = timezone.localtime(turn.observed_at).isoformat(timespec="minutes")
    form = MessageForm({"text": turn.text, "role": turn.role, "said_at": said_at})
    return _answered(request, form, turn)


def _example(number: str) -> dict[str, str] | None:
    known = {str(place): each for place, each in enumerate(EXAMPLES, start=1)}
    return {"text": known[number].text} if number in known else None


def _answered(request: AuthedRequest, form: MessageForm, turn: Turn | None = None) -> HttpResponse:
    tried, trouble = None, ""
    if form.is_bound and form.is_valid():
        try:
            tried = _tried(form.examined(request.principal, turn))
        except InvalidInput as error:
            form.add_error(None, str(error))
        except (Permanent, Retryable) as error:
            trouble = str(error)
    context = {
        "section": "try",
        "form": form,
        "examples": EXAMPLES,
        "tried": tried,
        "trouble": trouble,
    }
    name = RESULTS if wants_fragment(request) else PAGE
    status = 400 if form.is_bound and form.errors else 200
    return render(request, name, context, status=status)


def _tried(examined: Examined) -> Tried:
    perception, now = examined.perception, timezone.now()
    judge = A_RULE if examined.notice else THE_CLASSIFIER
    unsure = unsure_of(perception.doubts, judge=judge)
    signals = [asdict(signal) for signal in perception.signals]
    underlined = underline(examined.text, marks_of(signals, unsure))
    cards = [card_of(outcome, now) for outcome in examined.outcomes]
    return Tried(examined, underlined, cards, unsure)
