"""Reading a document in a browser: pages and text beside passages, on a desk and on a phone."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ingest.models import Document
from memory.models import Fact, Principal, User, acting_as
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.faults import FITS, TARGETS, faults_of, findings_of
from tests.e2e.passages import add_passages
from tests.fixtures import add_document
from tests.locked_pdf import locked_pdf
from tests.stored_pages import pdf_of, store

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

REFRESH = "document.body.dispatchEvent(new CustomEvent('refresh'))"
IS_DRAWN = "image => image.complete && image.naturalWidth > 1000"
# Asked in one moment: the page may be scrolling between two questions.
BOXES = """
all => all.map(each => document.querySelector(each).getBoundingClientRect())
  .map(({x, y, width, height}) => ({x, y, width, height}))
"""
PLACES = [
    (1, "The survey names each tree.", [[1, [0.1, 0.08, 0.6, 0.13]]]),
    (2, "The walnut carried no nuts.", [[2, [0.1, 0.08, 0.6, 0.13]]]),
    (2, "The plum was felled.", [[2, [0.1, 0.6, 0.6, 0.65]], [3, [0.1, 0.1, 0.5, 0.2]]]),
]
LINES = [(None, f"Step {number} of the plan is told in a sentence of its own.", None)
         for number in range(40)]  # fmt: skip


@pytest.fixture(autouse=True)
def _own_home(settings: Any, tmp_path: Path) -> None:
    settings.LONGHAND_HOME = tmp_path


@pytest.fixture
def survey(alice: User) -> list[Fact]:
    """The passages of a PDF of three pages."""
    pages = pdf_of("The survey", "The walnut", "The plum")
    document = store(alice, "survey.pdf", pages, status="done", pages_total=3, passages=3)
    return add_passages(document, PLACES)


@pytest.fixture
def plan(alice: User) -> list[Fact]:
    """The passages of a long text."""
    return add_passages(add_document(alice, "plan.md", status="done", passages=40), LINES)


def address(fact: Fact) -> str:
    return f"/documents/{fact.document_id}/?passage={fact.pk}#p-{fact.ordinal}"


def drawn(page: Page) -> None:
    """Wait until the page is there as a picture."""
    image = page.locator("[data-page-image]")
    handle = image.element_handle()
    page.wait_for_function(IS_DRAWN, arg=handle)


def test_page_is_drawn_and_the_passage_is_marked_where_it_stands(
    visit: Visit, survey: list[Fact]
) -> None:
    page = visit.open(address(survey[2]))
    drawn(page)

    paper, mark = page.evaluate(BOXES, [".paper", ".places .is-chosen rect"])
    assert (mark["y"] - paper["y"]) / paper["height"] == pytest.approx(0.6, abs=0.02)
    assert mark["width"] / paper["width"] == pytest.approx(0.5, abs=0.02)
    expect(page.locator(".places .is-chosen rect")).to_be_in_viewport()
    expect(page.locator("#passages .is-chosen")).to_contain_text("The plum was felled.")
    source, beside = page.evaluate(BOXES, ["#source", "#passages"])
    assert source["x"] + source["width"] <= beside["x"]
    assert visit.problems == []


def test_pages_are_turned_by_button_key_and_number(visit: Visit, survey: list[Fact]) -> None:
    page = visit.open(f"/documents/{survey[0].document_id}/")
    number = page.get_by_label("Page number")
    page.evaluate("window.stayed = true")
    page.evaluate("addEventListener('htmx:afterSettle', () => (window.turned = location.search))")

    page.get_by_role("link", name="Next page").click()
    expect(number).to_have_value("2")
    expect(page.locator("#passages")).to_contain_text("The walnut carried no nuts.")
    page.keyboard.press("n")
    expect(number).to_have_value("3")
    # A link leads where it did before until the whole page has settled.
    page.wait_for_function("window.turned === '?page=3'")
    page.keyboard.press("p")
    expect(number).to_have_value("2")
    expect(page).to_have_url(re.compile(r"\?page=2$"))
    assert page.evaluate("window.stayed")

    page.go_back()
    expect(number).to_have_value("3")
    number.fill("1")
    number.press("Enter")
    expect(page.locator("#passages")).to_contain_text("The survey names each tree.")
    assert visit.problems == []


def test_passage_and_its_area_choose_each_other_and_a_refresh_keeps_the_choice(
    visit: Visit, survey: list[Fact]
) -> None:
    page = visit.open(f"/documents/{survey[0].document_id}/?page=2")
    drawn(page)

    page.get_by_role("link", name="Passage 2, page 2").click()
    expect(page.locator("#passages .is-chosen")).to_contain_text("The walnut")
    page.locator(f'.places [data-pick="fact-{survey[2].pk}"] rect').click()
    expect(page.locator("#passages .is-chosen")).to_contain_text("The plum was felled.")

    with page.expect_response(lambda answer: "page=2" in answer.url):
        page.evaluate(REFRESH)
    expect(page.locator("#passages .is-chosen")).to_contain_text("The plum was felled.")
    expect(page.locator(".places .is-chosen")).to_have_count(1)
    assert visit.problems == []


def test_chosen_passage_of_a_long_text_is_in_sight_on_both_sides(
    visit: Visit, plan: list[Fact]
) -> None:
    page = visit.open(address(plan[35]))

    expect(page.locator("#source mark")).to_be_in_viewport()
    expect(page.locator("#source mark")).to_contain_text("Step 35")
    page.locator("#p-30").click()
    expect(page.locator("#source mark")).to_contain_text("Step 30")
    expect(page.locator("#passages .is-chosen")).to_contain_text("Step 30")
    assert visit.problems == []


@pytest.mark.parametrize("which", ["survey", "plan"])
def test_phone_shows_the_source_or_the_passages(
    visit: Visit, request: pytest.FixtureRequest, which: str
) -> None:
    fact = request.getfixturevalue(which)[1]
    page = visit.open(f"/documents/{fact.document_id}/", viewport=PHONE)
    source, passages = page.locator("#source"), page.locator("#passages")
    expect(source).to_be_visible()
    expect(passages).to_be_hidden()

    page.locator("#show-passages").click()
    expect(passages).to_be_visible()
    expect(source).to_be_hidden()
    assert page.evaluate(FITS)
    assert page.evaluate(TARGETS) == []
    assert findings_of(page) == []

    page.locator("#passages [data-passage]").first.click()
    expect(source).to_be_visible()
    expect(source.locator(".is-chosen").first).to_be_in_viewport()
    assert visit.problems == []


def test_page_that_cannot_be_shown_says_why_in_its_place(visit: Visit, alice: User) -> None:
    document = store(alice, "locked.pdf", locked_pdf(), status="done", pages_total=1)

    page = visit.open(f"/documents/{document.pk}/")

    expect(page.locator("[data-page-trouble]")).to_contain_text("with a password are not shown")
    expect(page.locator(".paper")).to_be_hidden()
    assert findings_of(page) == []
    # The browser itself notes the answer that was no picture.
    assert all("409" in problem for problem in visit.problems)


def test_document_becomes_readable_under_the_eyes_of_whoever_waits(
    visit: Visit, alice: User
) -> None:
    document = add_document(alice, "plan.md", status="parsing", pages_total=10, pages_done=2)
    page = visit.open(f"/documents/{document.pk}/")
    expect(page.locator("#way")).to_contain_text("12 %")

    with acting_as(Principal(alice)):
        Document.objects.filter(pk=document.pk).update(pages_done=9)
    page.evaluate(REFRESH)
    expect(page.locator("#way")).to_contain_text("54 %")
    with acting_as(Principal(alice)):
        Document.objects.filter(pk=document.pk).update(status="done", passages=1)
        add_passages(document, LINES[:1])
    page.evaluate(REFRESH)

    expect(page.locator("#way")).to_have_count(0)
    expect(page.locator("#source")).to_contain_text("Step 0 of the plan")
    assert visit.problems == []


def test_fact_and_document_lead_to_each_other(visit: Visit, survey: list[Fact]) -> None:
    page = visit.open(survey[1].get_absolute_url())

    page.get_by_role("link", name="Show in the document").click()
    expect(page.locator("#passages .is-chosen")).to_contain_text("The walnut")
    page.get_by_role("link", name="Details of passage 2").click()

    expect(page.locator("h1")).to_have_text("Passage 2, page 2")
    assert visit.problems == []


def test_documents_in_every_state_are_usable_everywhere(
    visit: Visit, survey: list[Fact], plan: list[Fact], alice: User
) -> None:
    newer = add_document(alice, "plan.md", text="Another plan.", status="done")
    failed = add_document(alice, "a.docx", status="failed", reason="The file is damaged.")
    locked = store(alice, "l.pdf", locked_pdf(), status="failed", has_password=True, reason="No.")
    opened = store(alice, "o.pdf", locked_pdf(), status="done", has_password=True)
    damaged = store(alice, "d.pdf", b"%PDF-1.7 cut", status="failed", reason="No.")
    waiting = add_document(alice, "w.txt")
    pages = [address(survey[2]), address(plan[3])]
    pages += [each.get_absolute_url() for each in (newer, failed, locked, opened, damaged, waiting)]

    faults = [fault for each in pages for fault in faults_of(visit, each)]

    assert faults == []
    assert visit.problems == []
