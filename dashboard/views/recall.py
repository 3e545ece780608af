"""Ask the memories as an agent would, and see why each answer is one."""

from dataclasses import dataclass
from typing import cast

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from dashboard.forms import RecallForm
from dashboard.views.access import AuthedRequest, signed_in, wants_fragment
from memory.domain.errors import InvalidInput, Permanent, Retryable
from memory.domain.fields import MAX_QUERY_CHARACTERS
from memory.domain.text import clean_text
from memory.models import Fact
from memory.recall.queries import RecallQuery
from memory.recall.recalling import Recalled, Result, recall

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
    form = RecallForm(request.POST or None, initial={"query": wanted})
    context: dict[str, object] = {"section": "recall", "form": form}
    status = 200
    if request.method == "POST":
        context |= _asked(request, form)
        status = 400 if form.errors else 200
    name = "_results" if wants_fragment(request) else "page"
    return render(request, f"dashboard/recall/{name}.html", context, status=status)


def _asked(request: AuthedRequest, form: RecallForm) -> dict[str, object]:
    if not form.is_valid():
        return {}
    query = RecallQuery(text=form.cleaned_data["query"], mode=form.cleaned_data["mode"] or "hybrid")
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
