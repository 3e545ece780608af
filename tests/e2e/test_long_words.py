"""Words without a place to break, in every field that takes them, push nothing off the page."""

from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from ingest.models import Document
from memory.models import Fact, Principal, Scope, User, acting_as
from memory.services.facts import correct_fact
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.furnishing import add_passage
from tests.fixtures import add_document, add_turn, agent_of, remember

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SIZES = {"phone": PHONE, "desk": {"width": 1280, "height": 800}}
# A box whose text is cut on purpose is not wider than it says; all others must fit their parent.
WIDEST = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
OUTSIDE = """() => [...document.querySelectorAll('main *')]
  .filter(e => e.checkVisibility() && !e.closest('.facets, svg, relative-time, .visually-hidden'))
  .filter(e => e.getBoundingClientRect().width > 0)
  .filter(e => {
    for (let p = e.parentElement; p; p = p.parentElement)
      if (getComputedStyle(p).overflowX !== 'visible') return false;
    return e.getBoundingClientRect().right > innerWidth + 1;
  })
  .map(e => e.outerHTML.slice(0, 120))"""


def _beyond(page: Page) -> list[str]:
    """What reaches beyond the page at each size."""
    found = []
    for name, size in SIZES.items():
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a plain dict is fine
        widest = page.evaluate(WIDEST)
        found += [f"{page.url} on a {name}: {each}" for each in page.evaluate(OUTSIDE)]
        if widest > size["width"]:
            found.append(f"{page.url} on a {name} is {widest} wide")
    return found


def _long_memory(alice: User) -> Fact:
    agent = agent_of(alice, "q" * 64)
    fact = remember(
        alice,
        "W" * 4_000,
        scope=Scope.objects.for_agent(agent),
        why="w" * 300,
        entity="E" * 200,
        key="k" * 200,
        value="v" * 300,
        kind=f"x-{'k' * 30}",
        tags=("T" * 64, "U" * 64),
        decay_class="permanent",
    )
    with acting_as(Principal(alice)) as principal:
        changes = {"text": "V" * 4_000, "entity": "F" * 200}
        correct_fact(principal=principal, fact_id=fact.pk, changes=changes)
    return fact


def _long_documents(alice: User) -> Document:
    name = "N" * 250
    add_document(alice, f"{name}1.txt", status="failed", reason="r" * 600)
    add_document(alice, f"{name}2.txt")
    done = add_document(alice, f"{name}3.txt", status="done", tags=["T" * 64] * 2, passages=1)
    with acting_as(Principal(alice)):
        add_passage(Scope.objects.for_user(alice), done, 0)
        long = {"text": "P" * 900, "locator": {"page": 1, "heading": "H" * 200}}
        Fact.objects.filter(document=done).update(content_hash=uuid4().bytes * 2, **long)
    return done


def test_long_words_stay_on_the_page(visit: Visit, alice: User) -> None:
    fact, document = _long_memory(alice), _long_documents(alice)
    talk = add_turn(alice, "w" * 900, conversation="c" * 120).conversation
    with acting_as(Principal(alice)):
        passage = Fact.objects.get(document=document)
    paths = [
        reverse("fact-list"),
        f"{reverse('fact-list')}?tag={'T' * 64}&category=other&q={'W' * 200}",
        fact.get_absolute_url(),
        reverse("fact-edit", args=[fact.pk]),
        reverse("document-list"),
        document.get_absolute_url(),
        passage.get_absolute_url(),
        reverse("overview"),
        reverse("conversation-list"),
        talk.get_absolute_url(),
        reverse("agent-list"),
        reverse("token-list"),
    ]

    assert [each for path in paths for each in _beyond(visit.open(path))] == []
    assert visit.problems == []


def test_answers_with_long_words_stay_on_the_page(visit: Visit, alice: User) -> None:
    remember(alice, f"Kestrel {'W' * 3_000}", kind=f"x-{'k' * 30}", category="other")
    page = visit.open(reverse("recall"))

    page.get_by_label("Question").fill("Kestrel")
    page.get_by_role("button", name="Recall").click()
    page.locator("#recall-results").wait_for()

    assert _beyond(page) == []


def test_filters_with_long_names_stay_on_a_phone(visit: Visit, alice: User) -> None:
    _long_memory(alice)
    page = visit.open(reverse("fact-list"), viewport=PHONE)

    page.get_by_role("button", name="More filters").click()

    assert page.locator("#id_scope").is_visible()
    assert page.evaluate(WIDEST) == PHONE["width"]
