"""A phone in the hand: narrow screens, a finger that cannot hover, bars that cover an edge."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from ingest.models import Document
from memory.models import JobRun, Principal, User, acting_as
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.faults import FITS, TARGETS
from tests.fixtures import add_document, remember

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LONG = "Minutes of the spring meeting of the garden committee with all annexes 2026.pdf"
REFRESH = "document.body.dispatchEvent(new CustomEvent('refresh'))"
TO = "element => element.scrollIntoView()"
# Whether a finger meets the element at two of its corners, and not what covers it.
IS_UNCOVERED = """element => {
  const box = element.getBoundingClientRect();
  const at = [[box.left + 4, box.top + 4], [box.right - 4, box.bottom - 4]];
  return at.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}"""
ENDS_IN_AN_ELLIPSIS = """element => {
  const {textOverflow, overflowX} = getComputedStyle(element);
  const edge = element.parentElement.getBoundingClientRect().right + 1;
  return textOverflow === 'ellipsis' && overflowX === 'hidden'
    && element.scrollWidth > element.clientWidth && element.getBoundingClientRect().right <= edge;
}"""


def wide(width: int) -> dict[str, int]:
    return {"width": width, "height": 740}


@pytest.fixture
def phone(chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[Visit]:
    """Alice's phone: it is touched, and no finger hovers."""
    window = Visit(
        chromium, live_server, alice, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    yield window
    assert window.problems == []
    window.context.close()


@pytest.mark.parametrize("width", [320, 768, 1024])
def test_menus_open_inside_the_screen(
    furnished: dict[str, str], visit: Visit, alice: User, width: int
) -> None:
    add_document(alice, LONG, status="failed", reason="The file is damaged.")
    page = visit.open(furnished["documents"], viewport=wide(width))
    menus = page.locator("details.menu")

    for menu in menus.all():
        menu.locator("summary").click()
        expect(menu.locator(".menu-body")).to_be_in_viewport(ratio=1)
        assert menu.locator(".menu-body").evaluate(IS_UNCOVERED)
        # A second tap outside of it closes it, and presses nothing.
        page.mouse.click(width / 2, 100)
        expect(menu.locator(".menu-body")).to_be_hidden()
    assert menus.count() == 2


@pytest.mark.parametrize(
    ("path", "target"),
    [("/memories/#find", "#find"), ("/settings/#sessions", "#sessions h2")],
    ids=["search", "sessions"],
)
def test_what_an_address_leads_to_is_not_under_a_bar(
    furnished: dict[str, str], phone: Visit, path: str, target: str
) -> None:
    page = phone.open(path, viewport=wide(390))

    expect(page.locator(target)).to_be_in_viewport(ratio=1)
    assert page.locator(target).evaluate(IS_UNCOVERED)


@pytest.mark.parametrize("width", [320, 390])
def test_bar_of_a_selection_shows_every_button_with_its_word(
    furnished: dict[str, str], phone: Visit, width: int
) -> None:
    page = phone.open(furnished["memories"], viewport=wide(width))

    page.locator(".row-select").first.click()

    expect(page.locator(".bulk")).to_be_visible()
    buttons = page.locator(".bulk .btn:visible")
    words = ["Category", "Tags", "Pin", "Export", "Forget", ""]
    assert [word.strip() for word in buttons.all_inner_texts()] == words
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
        assert button.evaluate(IS_UNCOVERED)
    assert page.evaluate(TARGETS) == []
    assert page.evaluate(FITS)


def test_new_activity_moves_no_row_under_a_finger_before_it_is_asked_for(
    furnished: dict[str, str], phone: Visit, alice: User
) -> None:
    page = phone.open(furnished["overview"], viewport=PHONE)
    page.locator("#activity").evaluate(TO)
    first = page.locator("#activity li").first
    before = first.inner_text()
    remember(alice, "The demo is on Thursday.", kind="event")

    page.evaluate(REFRESH)
    expect(page.get_by_role("button", name="Show 1 new")).to_be_visible()
    held = first.inner_text()
    page.evaluate(REFRESH)
    page.get_by_role("button", name="Show 1 new").click()

    expect(first).to_contain_text("The demo is on Thursday.")
    assert held == before
    expect(page.get_by_role("button", name="Show 1 new")).to_have_count(0)


def test_activity_out_of_sight_is_refreshed(
    furnished: dict[str, str], phone: Visit, alice: User
) -> None:
    page = phone.open(furnished["overview"], viewport=PHONE)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    remember(alice, "The demo is on Thursday.", kind="event")

    page.evaluate(REFRESH)

    expect(page.locator("#activity li").first).to_contain_text("The demo is on Thursday.")


def test_tour_is_behind_more(furnished: dict[str, str], phone: Visit) -> None:
    page = phone.open(furnished["overview"], viewport=PHONE)

    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Take the tour").click()

    expect(page.locator("dialog#tour")).to_be_visible()
    expect(page.locator("dialog#more")).to_be_hidden()


def test_notice_is_in_sight_where_the_button_was(
    furnished: dict[str, str], phone: Visit, alice: User
) -> None:
    with acting_as(Principal(alice)):
        Document.objects.filter(status="failed").update(reason="The file is damaged.")
    page = phone.open(furnished["documents"], viewport=wide(390))
    again = page.get_by_role("button", name="Try again")
    again.evaluate(TO)

    again.click()

    notice = page.locator("#flash .note")
    expect(notice).to_contain_text("waits to be read again")
    expect(notice).to_be_in_viewport(ratio=1)
    assert notice.evaluate(IS_UNCOVERED)


@pytest.mark.parametrize("status", ["parsing", "failed", "done"])
def test_long_name_of_a_document_ends_in_an_ellipsis(
    phone: Visit, alice: User, status: str
) -> None:
    add_document(alice, LONG, status=status)
    page = phone.open("/documents/", viewport=wide(390))

    name = page.get_by_role("link", name=re.compile("^Minutes of the spring")).last

    assert name.evaluate(ENDS_IN_AN_ELLIPSIS)
    assert page.evaluate(FITS)


@pytest.mark.parametrize("path", ["/conversations/new/", "/memories/", "/recall/", "/settings/"])
def test_fields_are_so_large_that_no_phone_zooms_in(phone: Visit, path: str) -> None:
    page = phone.open(path, viewport=PHONE)

    sizes = page.locator("main :is(input:not([type=hidden], [type=checkbox]), select, textarea)")
    found = sizes.evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    )

    assert found
    assert min(found) >= 16


@pytest.mark.parametrize("name", ["overview", "memories", "documents", "jobs"])
def test_narrowest_phone_shows_pages_without_a_word_over_another(
    furnished: dict[str, str], phone: Visit, name: str
) -> None:
    page = phone.open(furnished[name], viewport=wide(320))

    assert page.evaluate(FITS)
    assert overlaps(page, ".mem tr", [".life .num", ".c-when"]) == 0
    assert overlaps(page, ".jobs li", [".jn", ".when"]) == 0
    cut = ".jobs .jn"
    assert (
        page.locator(cut).evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth)")
        == []
    )


def overlaps(page: Page, rows: str, parts: list[str]) -> int:
    """In how many of these rows the right edge of one part is beyond the left edge of the next."""
    found: int = page.locator(rows).evaluate_all(
        """(all, parts) => all.filter(row => {
          const [left, right] = parts.map(part => row.querySelector(part)?.firstChild);
          if (!left || !right) return false;
          const boxes = [left, right].map(node => {
            const range = document.createRange();
            range.selectNode(node);
            return range.getBoundingClientRect();
          });
          return boxes[0].right > boxes[1].left && boxes[0].bottom > boxes[1].top;
        }).length""",
        parts,
    )
    return found


def test_api_fits_a_phone_and_leads_back(phone: Visit) -> None:
    page = phone.open("/api/v1/docs", viewport=PHONE)
    page.locator(".swagger-ui .opblock").first.wait_for()

    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("link", name="Back to Agents").click()
    expect(page.locator("h1")).to_have_text("Agents")


def test_answer_that_an_agent_would_get_comes_into_sight(
    furnished: dict[str, str], phone: Visit
) -> None:
    page = phone.open(furnished["recall"], viewport=PHONE)
    page.get_by_label("Question").fill("who signs off the Kestrel build")
    page.get_by_role("button", name="Recall").click()

    page.get_by_text("What an agent would be given").click()

    expect(page.locator("[data-reveal] pre")).to_be_in_viewport()


def test_keyboard_leaves_when_the_answer_comes(furnished: dict[str, str], phone: Visit) -> None:
    page = phone.open(furnished["recall"], viewport=PHONE)
    question = page.get_by_label("Question")
    question.fill("who signs off the Kestrel build")

    page.locator("form.ask-box").evaluate("form => form.requestSubmit()")

    expect(page.locator("#recall-results")).to_be_visible()
    expect(question).not_to_be_focused()
    expect(question).to_have_value("who signs off the Kestrel build")


def test_question_keeps_the_focus_where_no_keyboard_covers_the_answer(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["recall"])
    question = page.get_by_label("Question")
    question.fill("who signs off the Kestrel build")

    page.locator("form.ask-box").evaluate("form => form.requestSubmit()")

    expect(page.locator("#recall-results")).to_be_visible()
    expect(question).to_be_focused()


# How far the middle of the chosen link is from the middle of its row.
OFF_THE_MIDDLE = """row => {
  const [outer, inner] = [row, row.querySelector('[aria-current]')].map(each => {
    const box = each.getBoundingClientRect();
    return box.left + box.width / 2;
  });
  return Math.abs(inner - outer);
}"""


def test_chosen_link_of_a_row_is_in_sight(furnished: dict[str, str], phone: Visit) -> None:
    page = phone.open(furnished["memories"] + "?kind=entity", viewport=wide(320))
    row = page.locator("#facts-facets")

    expect(row.locator("[aria-current]")).to_be_in_viewport(ratio=1)

    assert row.evaluate(OFF_THE_MIDDLE) < 20
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(FITS)


def test_row_that_a_finger_moved_stays_where_it_is(
    furnished: dict[str, str], phone: Visit, alice: User
) -> None:
    page = phone.open(furnished["memories"] + "?kind=entity", viewport=wide(320))
    row = page.locator("#facts-facets")
    row.evaluate("row => { row.scrollLeft = 0; }")
    remember(alice, "The demo is on Thursday.", kind="entity")

    page.evaluate(REFRESH)

    expect(page.locator("#facts-news")).to_contain_text("1 new memory")
    assert row.evaluate("row => row.scrollLeft") == 0


def test_chosen_link_is_in_sight_once_a_filter_has_changed_the_row(
    furnished: dict[str, str], phone: Visit
) -> None:
    page = phone.open(furnished["memories"] + "?kind=entity", viewport=wide(320))

    page.locator("#find").fill("housings")
    expect(page).to_have_url(re.compile("q=housings"))

    expect(page.locator("#facts-facets [aria-current]")).to_be_in_viewport(ratio=1)


# As where the page came without TLS: the browser offers no clipboard.
WITHOUT_TLS = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


@pytest.mark.parametrize(("is_copied", "word"), [(True, "Copied"), (False, "Selected")])
def test_copying_without_tls_says_what_it_did(phone: Visit, is_copied: bool, word: str) -> None:
    phone.context.add_init_script(WITHOUT_TLS)
    if not is_copied:
        phone.context.add_init_script("document.execCommand = () => false")
    page = phone.open("/agents/new/", viewport=PHONE)
    page.get_by_label("Name").fill("quill")
    page.get_by_role("button", name="Make its token").click()
    page.evaluate("addEventListener('copy', () => { window.copied = String(getSelection()); })")

    page.get_by_role("button", name="Copy").first.click()

    expect(page.get_by_role("button", name=word)).to_be_visible()
    token = page.locator("#token").inner_text()
    assert page.evaluate("String(getSelection())") == token
    assert page.evaluate("window.copied ?? ''") == (token if is_copied else "")


def test_dock_counts_what_failed(furnished: dict[str, str], phone: Visit, alice: User) -> None:
    page = phone.open(furnished["overview"], viewport=PHONE)
    dock = page.locator(".dock")
    before = dock.get_by_role("link", name="Documents").inner_text().split()
    add_document(alice, LONG, status="failed")
    JobRun.objects.create(kind="embed", owner=alice, outcome="failed", error="No model.")

    page.evaluate(REFRESH)

    expect(dock.locator("#dock-documents")).to_have_text("2")
    expect(dock.locator("#dock-jobs")).to_have_text("1")
    assert before == ["Documents", "1"]


@pytest.mark.parametrize(
    "query", ["?kind=fact&tag=Kestrel&q=Kestrel", "?category=fact"], ids=["tag", "category"]
)
def test_chosen_filters_are_as_large_as_a_finger(
    furnished: dict[str, str], phone: Visit, query: str
) -> None:
    page = phone.open(furnished["memories"] + query, viewport=PHONE)

    assert page.locator(".chosen .pill").count() > 0
    assert page.evaluate(TARGETS) == []
    assert page.evaluate(FITS)


def test_short_answers_are_as_large_as_a_finger(phone: Visit, alice: User) -> None:
    remember(alice, "Kestrel")
    page = phone.open("/recall/", viewport=PHONE)

    page.get_by_label("Question").fill("Kestrel")
    page.get_by_role("button", name="Recall").click()
    page.locator("#recall-results").wait_for()

    assert page.evaluate(TARGETS) == []
    assert overlaps(page, ".hit", [".txt", ".sub"]) == 0


def test_name_of_two_letters_is_as_large_as_a_finger_in_the_runs(phone: Visit, alice: User) -> None:
    document = add_document(alice, "a.md", status="done")
    with acting_as(Principal(alice)):
        JobRun.objects.create(
            kind="read-document", owner=alice, outcome="done", subject=document.pk
        )
    page = phone.open("/jobs/", viewport=PHONE)

    expect(page.get_by_role("link", name="a.md")).to_be_visible()
    assert page.evaluate(TARGETS) == []
