"""The page of one document: its page or text beside its passages, and what is chosen there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from memory.models import Fact, Principal, Scope, User, acting_as
from memory.services.facts import correct_fact, forget_fact
from tests.fixtures import add_document
from tests.pages import part_of, text_of
from tests.stored_pages import pdf_of, store

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def page(client: Client, alice: User, settings: Any, tmp_path: Path) -> Client:
    """A browser in which alice is signed in."""
    settings.LONGHAND_HOME = tmp_path
    client.force_login(alice)
    return client


@pytest.fixture
def passage(alice: User) -> Callable[..., Fact]:
    """Adds a passage to a document, as the reading job stores it."""

    def added(document: Document, ordinal: int, text: str, **locator: Any) -> Fact:
        with acting_as(Principal(alice)):
            made = Fact(
                scope=Scope.objects.for_user(alice),
                document=document,
                version=document.version,
                ordinal=ordinal,
                text=text,
                source="document",
                locator={"page": None, "heading": "", "kind": "text", **locator},
                content_hash=uuid4().bytes * 2,
                search="",
            )
            return Fact.objects.bulk_create([made])[0]

    return added


@pytest.fixture
def pdf(alice: User) -> Document:
    """A document of three pages that are read."""
    content = pdf_of("First page", "Second page", "Third page")
    return store(alice, "survey.pdf", content, status="done", pages_total=3, passages=3)


def test_page_of_a_pdf_is_shown_beside_the_passages_that_stand_on_it(
    page: Client, pdf: Document, passage: Callable[..., Fact]
) -> None:
    for number in (1, 2, 3):
        passage(pdf, number - 1, f"Words of page {number}.", page=number)

    shown = text_of(page.get(pdf.get_absolute_url() + "?page=2"))

    assert f'src="{reverse("document-page", args=[pdf.pk, 2])}"' in shown
    passages = part_of(shown, 'id="passages"')
    assert "Words of page 2." in passages
    assert "Words of page 1." not in passages
    assert "1 here, 3 in all" in passages
    assert 'name="page" min="1" max="3" value="2"' in shown
    assert 'href="?page=1"' in shown
    assert 'href="?page=3"' in shown


def test_passage_that_runs_over_a_page_break_is_on_both_pages(
    page: Client, pdf: Document, passage: Callable[..., Fact]
) -> None:
    places = [[1, [0.1, 0.8, 0.9, 0.9]], [2, [0.1, 0.1, 0.9, 0.2]]]
    passage(pdf, 0, "It goes on overleaf.", page=1, places=places)

    for number, top in ((1, "0.8"), (2, "0.1")):
        shown = text_of(page.get(pdf.get_absolute_url() + f"?page={number}"))
        assert "It goes on overleaf." in part_of(shown, 'id="passages"')
        assert f'<rect x="0.1" y="{top}" width="0.8" height="0.1"/>' in shown
    third = text_of(page.get(pdf.get_absolute_url() + "?page=3"))
    assert "None on this page." in third
    assert "<rect" not in part_of(third, 'class="places"', "</svg>")


def test_chosen_passage_opens_its_page_and_its_area_is_marked(
    page: Client, pdf: Document, passage: Callable[..., Fact]
) -> None:
    passage(pdf, 0, "Something else.", page=3, places=[[3, [0.1, 0.1, 0.2, 0.2]]])
    chosen = passage(pdf, 1, "The walnut.", page=3, places=[[3, [0.1, 0.5, 0.9, 0.6]]])

    shown = text_of(page.get(pdf.get_absolute_url() + f"?passage={chosen.pk}"))

    assert reverse("document-page", args=[pdf.pk, 3]) in shown
    assert f'<g data-pick="fact-{chosen.pk}" class="is-chosen"><rect x="0.1" y="0.5"' in shown
    assert f'<li class="passage is-chosen" id="fact-{chosen.pk}">' in shown
    assert shown.count("is-chosen") == 2


def test_passage_without_a_place_is_marked_in_the_list_and_the_page_is_shown(
    page: Client, pdf: Document, passage: Callable[..., Fact]
) -> None:
    chosen = passage(pdf, 0, "The walnut.", page=2)

    shown = text_of(page.get(pdf.get_absolute_url() + f"?passage={chosen.pk}"))

    assert reverse("document-page", args=[pdf.pk, 2]) in shown
    assert "<rect" not in part_of(shown, 'class="places"', "</svg>")
    assert f'<li class="passage is-chosen" id="fact-{chosen.pk}">' in shown


@pytest.mark.parametrize(
    "places",
    [
        "everywhere",
        [[1]],
        [[1, [0.1, 0.2]]],
        [["1", [0, 0, 1, 1]]],
        [[1, ['"/><script>', 0, 1, 1]]],
        {"page": 1},
    ],
)
def test_place_that_is_none_draws_nothing_and_fails_no_page(
    page: Client, pdf: Document, passage: Callable[..., Fact], places: Any
) -> None:
    passage(pdf, 0, "The walnut.", page=1, places=places)

    shown = text_of(page.get(pdf.get_absolute_url()))

    assert "The walnut." in shown
    assert "<rect" not in part_of(shown, 'class="places"', "</svg>")
    assert "<script>" not in shown


def test_area_beyond_the_page_ends_at_its_edge(
    page: Client, pdf: Document, passage: Callable[..., Fact]
) -> None:
    passage(pdf, 0, "The walnut.", page=1, places=[[1, [0.9, -2, 7, 0.25]]])

    shown = text_of(page.get(pdf.get_absolute_url()))

    assert '<rect x="0.9" y="0.0" width="0.1" height="0.25"/>' in shown


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("page=99999999999", 1),
        ("page=9999999", 3),
        ("page=0", 1),
        ("page=-1", 1),
        ("page=x", 1),
        ("passage=x", 1),
        ("passage=01a22d37-1b30-7d2c-96e1-7d508a755b8a", 1),
    ],
)
def test_address_that_names_nothing_shows_the_nearest_page(
    page: Client, pdf: Document, asked: str, number: int
) -> None:
    shown = text_of(page.get(f"{pdf.get_absolute_url()}?{asked}"))

    assert reverse("document-page", args=[pdf.pk, number]) in shown


def test_passage_of_another_document_is_not_chosen(
    page: Client, alice: User, pdf: Document, passage: Callable[..., Fact]
) -> None:
    other = add_document(alice, "other.txt", status="done")
    stray = passage(other, 0, "Elsewhere.")

    shown = text_of(page.get(pdf.get_absolute_url() + f"?passage={stray.pk}"))

    assert "survey.pdf" in shown
    assert "is-chosen" not in shown
    assert "Elsewhere." not in shown


def test_text_of_a_document_says_each_heading_and_sentence_once(
    page: Client, alice: User, passage: Callable[..., Fact]
) -> None:
    document = add_document(alice, "plan.md", status="done")
    passage(document, 0, "Plan\nFirst we draw. Then we build.", heading="Plan")
    passage(document, 1, "Then we build. At last we paint.", heading="Plan")
    passage(document, 2, "Name | Day\nNoor | Friday", heading="Plan › Rota", kind="table")
    passage(document, 3, "Name | Day\nInes | Monday", heading="Plan › Rota", kind="table")

    written = part_of(text_of(page.get(document.get_absolute_url())), 'aria-label="Text"')

    for once in ("First we draw.", "Then we build.", "At last we paint.", "Name | Day"):
        assert written.count(once) == 1, once
    assert written.count("<h3>Plan</h3>") == 1
    assert written.count("<h3>Rota</h3>") == 1
    assert "Ines | Monday" in written


def test_chosen_passage_of_a_text_is_highlighted_where_it_stands(
    page: Client, alice: User, passage: Callable[..., Fact]
) -> None:
    document = add_document(alice, "plan.md", status="done")
    passage(document, 0, "First we draw.")
    chosen = passage(document, 1, "Then we build.")

    shown = text_of(page.get(document.get_absolute_url() + f"?passage={chosen.pk}"))

    assert "<mark>Then we build.</mark>" in part_of(shown, 'id="p-1"')
    assert shown.count("<mark>") == 1


def test_long_text_is_shown_in_parts_and_a_passage_opens_its_own(
    page: Client, alice: User, passage: Callable[..., Fact]
) -> None:
    document = add_document(alice, "plan.md", status="done")
    facts = [passage(document, each, f"Step {each} of many.") for each in range(120)]

    shown = text_of(page.get(document.get_absolute_url() + f"?passage={facts[51].pk}"))

    assert "part 2 of 3" in shown
    assert "<mark>Step 51 of many.</mark>" in shown
    assert "Step 49 of many." not in shown
    assert "50 here, 120 in all" in shown


def test_reading_asks_the_same_number_of_queries_for_one_passage_and_for_many(
    page: Client,
    alice: User,
    passage: Callable[..., Fact],
    django_assert_max_num_queries: Any,
) -> None:
    few, many = (add_document(alice, name, status="done") for name in ("few.md", "many.md"))
    passage(few, 0, "One.")
    for each in range(40):
        passage(many, each, f"Step {each} of many.")
    page.get(few.get_absolute_url())

    with django_assert_max_num_queries(40) as first:
        page.get(few.get_absolute_url())
    with django_assert_max_num_queries(len(first)):
        page.get(many.get_absolute_url())


def test_text_of_a_document_runs_nothing_and_reorders_nothing(
    page: Client, alice: User, passage: Callable[..., Fact]
) -> None:
    name = "<img src=x onerror=alert(1)>.md"
    document = add_document(alice, "a.md", status="done")
    with acting_as(Principal(alice)):
        Document.objects.filter(pk=document.pk).update(name=name)
    passage(document, 0, "<script>PROBE7Q</script> \u202egnp.exe", heading="<b>H</b>")

    shown = text_of(page.get(document.get_absolute_url()))

    assert "&lt;script&gt;PROBE7Q" in shown
    assert "<script>PROBE7Q" not in shown
    assert "<img src=x" not in shown
    assert "<b>H" not in shown
    assert "\u202e" not in shown


def test_passage_that_a_person_reworded_is_marked_and_the_others_are_not(
    page: Client, alice: User, pdf: Document, passage: Callable[..., Fact]
) -> None:
    reworded = passage(pdf, 0, "Ships in Mai.", page=1)
    passage(pdf, 1, "Nobody touched this.", page=1)
    forgotten = passage(pdf, 2, "Out of date.", page=1)
    with acting_as(Principal(alice)) as principal:
        correct_fact(principal=principal, fact_id=reworded.pk, changes={"text": "Ships in May."})
        forget_fact(principal=principal, fact_id=forgotten.pk)

    shown = part_of(text_of(page.get(pdf.get_absolute_url())), 'id="passages"')

    assert shown.count(">edited<") == 1
    assert ">edited<" in part_of(shown, f'id="fact-{reworded.pk}"', "</li>")
    assert ">forgotten<" in part_of(shown, f'id="fact-{forgotten.pk}"', "</li>")


def test_passage_and_its_place_lead_to_each_other(
    page: Client, pdf: Document, passage: Callable[..., Fact]
) -> None:
    fact = passage(pdf, 4, "The walnut.", page=2)
    there = f"{pdf.get_absolute_url()}?passage={fact.pk}#p-4"

    assert f'href="{fact.get_absolute_url()}"' in text_of(page.get(there.partition("#")[0]))
    assert 'id="p-4"' in text_of(page.get(there.partition("#")[0]))
    assert text_of(page.get(fact.get_absolute_url())).count(f'href="{there}"') == 2


def test_answer_of_recall_leads_to_its_place_in_the_document(
    page: Client, pdf: Document, passage: Callable[..., Fact], alice: User
) -> None:
    fact = passage(pdf, 0, "The walnut carried no nuts.", page=2)
    with acting_as(Principal(alice)) as principal:
        correct_fact(principal=principal, fact_id=fact.pk, changes={"text": "The walnut is bare."})

    answered = text_of(page.post(reverse("recall"), {"query": "walnut bare"}))

    assert f'href="{pdf.get_absolute_url()}?passage={fact.pk}#p-0"' in answered


def test_fragment_shows_the_reason_of_a_failure(page: Client, alice: User) -> None:
    reason = "Unpacks to 4.1 GB; the limit is 500 MB."
    document = add_document(alice, "a.docx", status="failed", reason=reason)

    shown = text_of(page.get(document.get_absolute_url(), headers=HTMX))

    assert "Unpacks to 4.1 GB" in shown
    assert "<html" not in shown
    assert 'id="passages"' not in shown


def test_document_under_way_tells_stage_percent_and_where_passages_will_be(
    page: Client, alice: User
) -> None:
    document = add_document(alice, "a.md", status="parsing", pages_done=3, pages_total=12)

    shown = text_of(page.get(document.get_absolute_url()))

    assert "page 3 of 12" in part_of(shown, 'id="way"', "</div>")
    assert "15 %" in part_of(shown, 'id="way"', "</div>")
    assert "They appear here as soon as the file is read." in shown


def test_note_of_a_wrong_name_is_shown(page: Client, alice: User) -> None:
    note = "Named .pdf, but it is a Word document."
    document = add_document(alice, "a.pdf", status="done", note=note)

    assert note in part_of(text_of(page.get(document.get_absolute_url())), 'id="note"', "</div>")
