"""Every page in a real browser: size, contrast, touch, scripts and keys."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.faults import FITS, OF_COLOR, TARGETS, faults_of, findings_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PLACES = {
    "overview": ["overview", "recall", "check"],
    "memories": ["memories", "no match", "new memory"],
    "one memory": ["memory", "edit", "forgotten"],
    "conversations": ["conversations", "conversation", "new transcript"],
    "documents": ["documents", "document", "failed document"],
    "jobs": ["jobs", "run"],
    "try": ["try"],
}
STYLE = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""


@pytest.mark.parametrize("names", PLACES.values(), ids=PLACES)
def test_pages_are_usable_on_a_phone_and_a_desk_in_both_themes(
    furnished: dict[str, str], visit: Visit, names: list[str]
) -> None:
    assert [fault for name in names for fault in faults_of(visit, furnished[name])] == []
    assert visit.problems == []


def test_each_page_is_looked_at(furnished: dict[str, str]) -> None:
    assert sorted(name for names in PLACES.values() for name in names) == sorted(furnished)


def test_page_is_dark_from_its_first_moment_where_the_computer_is(visit: Visit) -> None:
    page = visit.open("/", theme="dark")

    assert page.locator("html").get_attribute("data-bs-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    assert findings_of(page, OF_COLOR) == []


def test_skip_link_stands_over_the_page_and_moves_nothing(visit: Visit) -> None:
    page = visit.open("/")
    title = page.get_by_role("heading", name="Overview")
    before = title.bounding_box()

    page.keyboard.press("Tab")

    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    assert title.bounding_box() == before
    box = skip.bounding_box()
    assert box and min(box["x"], box["y"]) > 0


def test_axe_finds_what_is_wrong_in_one_theme_alone(visit: Visit) -> None:
    page = visit.open("/")
    page.evaluate(STYLE, '[data-bs-theme="dark"] h1 { color: #333 }')

    in_light = findings_of(page)
    visit.turn("dark")

    assert in_light == []
    assert [line.split(":")[0] for line in findings_of(page, OF_COLOR)] == ["color-contrast"]


def test_first_pages_teach_and_are_accessible(visit: Visit) -> None:
    for path in ("/", "/memories/", "/documents/", "/jobs/"):
        page = visit.open(path, viewport=PHONE)

        assert page.evaluate(FITS)
        assert findings_of(page) == []
    assert visit.problems == []


def test_answers_and_dialogs_are_accessible(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open(furnished["recall"], viewport=PHONE)
    page.get_by_label("Question").fill("who signs off the Kestrel build")
    page.get_by_role("button", name="Recall").click()
    page.locator("#recall-results").wait_for()
    assert findings_of(page) == []

    page.get_by_role("button", name="More", exact=True).click()

    expect(page.locator("dialog#more")).to_be_visible()
    assert page.evaluate(TARGETS) == []
    assert findings_of(page) == []
    assert visit.problems == []


def test_gate_is_usable_on_a_phone_and_a_desk_in_both_themes(visit: Visit) -> None:
    visit.context.clear_cookies()

    faults = [*faults_of(visit, "/sign-in/"), *faults_of(visit, "/sign-in/gone/")]

    assert faults == []
