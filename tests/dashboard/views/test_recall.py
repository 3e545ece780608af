"""Asking the memories."""

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Fact, FactUsage, Principal, User, acting_as
from tests.fixtures import add_document, remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db


def recalls(user: User) -> int:
    with acting_as(Principal(user)):
        return sum(FactUsage.objects.values_list("recall_count", flat=True))


def test_recall_draws_the_parts_of_each_score(page: Client, alice: User, fact: Fact) -> None:
    form = {"query": "who signs off the build", "mode": "keyword"}

    response = page.post(reverse("recall"), form)

    (answer,) = response.context["answers"]
    assert answer.fact == fact
    assert sum(bar.points for bar in answer.bars) == pytest.approx(answer.score)
    assert "Words" in text_of(response)
    assert recalls(alice) == 1


def test_recall_calls_a_piece_of_a_document_a_passage(page: Client, alice: User) -> None:
    document = add_document(alice, "handbook.md", status="done")
    passage = remember(alice, "The kiln is fired on Fridays.")
    with acting_as(Principal(alice)):
        Fact.objects.filter(pk=passage.pk).update(document=document, version=1, ordinal=0)

    response = page.post(reverse("recall"), {"query": "kiln fired", "mode": "keyword"})

    (answer,) = response.context["answers"]
    assert answer.fact.is_passage
    shown = text_of(response).split('id="recall-results"')[1].split("</ol>")[0]
    assert "<span>passage</span>" in shown
    assert "#k-fact" not in shown


def test_recall_page_counts_nothing_when_it_is_only_opened(
    page: Client, alice: User, fact: Fact
) -> None:
    page.get(reverse("recall"), {"query": "who signs off"})

    assert recalls(alice) == 0


def test_recall_never_answers_with_somebody_elses_memory(page: Client, bob: User) -> None:
    remember(bob, "The build is signed off by Bob.")

    response = page.post(reverse("recall"), {"query": "build signed off"})

    assert "Nothing in your memories answers this" in text_of(response)


def test_recall_fragment_holds_the_results(page: Client, fact: Fact) -> None:
    shown = text_of(
        page.post(reverse("recall"), {"query": "build"}, headers={"HX-Request": "true"})
    )

    assert 'id="recall-results"' in shown
    assert "<html" not in shown


@pytest.mark.parametrize("query", ["", "   ", "x" * 10_001])
def test_recall_says_what_is_wrong_with_the_question(page: Client, query: str) -> None:
    response = page.post(reverse("recall"), {"query": query})

    assert response.status_code == 400
    assert 'role="alert"' in text_of(response)


def test_recall_takes_a_question_along_and_asks_it_only_when_told_to(
    page: Client, alice: User, fact: Fact
) -> None:
    response = page.get(reverse("recall"), {"q": "who signs off\0"})

    assert 'value="who signs off"' in text_of(response)
    assert recalls(alice) == 0


def test_question_stands_in_the_address_with_how_it_was_asked(page: Client, fact: Fact) -> None:
    form = {"query": "who signs off the build?", "mode": "keyword"}

    response = page.post(reverse("recall"), form, headers={"HX-Request": "true"})
    address = response["HX-Replace-Url"]
    again = page.get(address).context["form"]

    assert address == "/recall/?q=who+signs+off+the+build%3F&mode=keyword"
    assert {name: again[name].value() for name in form} == form


@pytest.mark.parametrize("question", ["build " * 500, "is my password hunter2abc safe", "問" * 400])
def test_address_holds_no_question_that_is_long_or_secret(page: Client, question: str) -> None:
    form = {"query": question, "mode": ""}

    response = page.post(reverse("recall"), form, headers={"HX-Request": "true"})

    assert response["HX-Replace-Url"] == "/recall/"


def test_address_leaves_out_the_usual_way_to_ask(page: Client) -> None:
    form = {"query": "who signs", "mode": "hybrid"}

    response = page.post(reverse("recall"), form, headers={"HX-Request": "true"})

    assert response["HX-Replace-Url"] == "/recall/?q=who+signs"
