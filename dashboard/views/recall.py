"""Ask the memories as an agent would, and see why each answer is one."""

from dataclasses import dataclass
from typing import Final, cast

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from django_htmx.http import replace_url

from dashboard.forms import RecallForm
from dashboard.views.access import AuthedRequest, signed_in, wants_fragment
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput, Permanent, Retryable
from memory.domain.fields import MAX_QUERY_CHARACTERS
from memory.domain.text import clean_text
from memory.models import Fact
from memory.recall.queries import RecallQuery
from memory.recall.recalling import Recalled, Result, recall

USUAL: Final = "hybrid"
LONGEST_ADDRESS = 2_000
WORDS = {"keyword": "Words", "vector": "Meaning"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of a score: its name and what it adds."""

    name: str
    points: float


@dataclass(frozen=True, slots=True)
class Answer:
    """One result with its bars."""

    fact: Fact
    score: float
    bars: list[Bar]


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def recall_page(request: AuthedRequest) -> HttpResponse:
    """A question box; asking counts as use, so it is a POST."""
    wanted = clean_text(request.GET.get("q", ""))[:MAX_QUERY_CHARACTERS]
    form = RecallForm(
        request.POST or None, initial={"query": wanted, "mode": request.GET.get("mode")}
    )
    context: dict[str, object] = {"section": "recall", "form": form}
    status = 200
    if request.method == "POST":
        context |= _asked(request, form)
        status = 400 if form.errors else 200
    name = "_results" if wants_fragment(request) else "page"
    response = render(request, f"dashboard/recall/{name}.html", context, status=status)
    return replace_url(response, _address(form)) if "asked" in context else response


def _address(form: RecallForm) -> str:
    """Where this question stands again, to be shared or asked once more.

    Addresses are kept in many places: one that is long, or holds a secret, has no question.
    """
    question, mode = form.cleaned_data["query"], form.cleaned_data["mode"]
    asked = {"q": question} | ({"mode": mode} if mode not in {"", USUAL} else {})
    address = f"{reverse('recall')}?{urlencode(asked)}"
    is_plain = len(address) <= LONGEST_ADDRESS and masked(question) == question
    return address if is_plain else reverse("recall")


def _asked(request: AuthedRequest, form: RecallForm) -> dict[str, object]:
    if not form.is_valid():
        return {}
    query = RecallQuery(text=form.cleaned_data["query"], mode=form.cleaned_data["mode"] or USUAL)
    try:
        recalled = recall(query, request.principal.recall_scopes())
    except InvalidInput as error:
        form.add_error(None, str(error))
        return {}
    except (Permanent, Retryable) as error:
        return {"trouble": str(error)}
    return {"recalled": recalled, "answers": _answers(recalled), "asked": query.text}


def _answers(recalled: Recalled) -> list[Answer]:
    return [_answer(result) for result in recalled.results if isinstance(result.row, Fact)]


def _answer(result: Result) -> Answer:
    bars = [
        Bar(WORDS.get(leg, leg.capitalize()), part.points) for leg, part in result.parts.items()
    ]
    return Answer(cast("Fact", result.row), result.score, bars)
