"""Trying a message in a real browser: keys, sizes, themes, and a page that does not jump."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from memory.models import Turn, User, across_owners
from tests.e2e.conftest import DESK, PHONE, Visit
from tests.e2e.faults import FITS, TARGETS, THEMES, findings_of
from tests.fixtures import add_turn

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WIDTHS = (1440, 1024, 768, 390)
ENGLISH = (
    "I'm allergic to penicillin, please remember that. Never call me before nine. "
    "I might repaint the hall. My api key is sk-proj-abcdefghijklmnop1234567890."
)
MESSAGES = {
    "english": ENGLISH,
    "chinese": "我对花生过敏，请记住。下周五之前我要交季度报告。" * 3,
    "german": "Ich wohne jetzt in Leipzig, nicht mehr in Köln. Merk dir das bitte.",
    "long word": f"I work at {'W' * 300} and I prefer {'x' * 300}.",
    "nothing": "Does penicillin go off?",
    "refused": "",
}
ANSWER = "#would-be-kept, #answers [role=alert]"
BOXES = """() => [".try-box", ".signals", "h1", "#id_text", ".btn-primary"].map((place) => {
  const {x, y, width, height} = document.querySelector(place).getBoundingClientRect();
  return [x, y, width, height];
})"""


def try_it(page: Page, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Try it").click()
    page.locator(ANSWER).first.wait_for()


@pytest.mark.parametrize("text", MESSAGES.values(), ids=MESSAGES)
def test_answer_is_usable_at_every_width_in_both_themes(visit: Visit, text: str) -> None:
    found = []
    for width in WIDTHS:
        page = visit.open("/try/", viewport={"width": width, "height": 900})
        try_it(page, text)
        for theme, rules in THEMES.items():
            visit.turn(theme)
            found += [f"{theme} at {width}: {each}" for each in findings_of(page, rules)]
        found += [] if page.evaluate(FITS) else [f"too wide at {width}"]
        found += page.evaluate(TARGETS) if width < 1000 else []
        visit.turn("light")

    assert found == []
    # A browser notes that an answer refused something.
    assert [each for each in visit.problems if "400 (Bad Request)" not in each] == []


def test_message_is_tried_with_keys_alone(visit: Visit) -> None:
    page = visit.open("/")

    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page).to_have_url(re.compile(r"/try/$"))
    expect(page.get_by_label("Message")).to_be_focused()
    page.keyboard.type("I live in Leeds.")
    page.keyboard.press("Control+Enter")

    expect(page.locator("#would-be-kept")).to_contain_text("I live in Leeds.")
    expect(page.get_by_label("Message")).to_be_focused()
    expect(page.locator("[data-spoken]")).to_contain_text("The message was read.")
    with across_owners():
        assert Turn.objects.count() == 0
    assert visit.problems == []


def test_key_of_the_page_is_in_the_list_of_keys(visit: Visit) -> None:
    page = visit.open("/try/")
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")

    page.keyboard.press("?")

    expect(page.locator("dialog#shortcuts")).to_contain_text("Go to Try a message")
    expect(page.locator("dialog#shortcuts")).to_contain_text("Try it")


def test_page_does_not_jump_when_the_answer_comes(visit: Visit) -> None:
    page = visit.open("/try/", viewport={"width": 1440, "height": 1600})
    before = page.evaluate(BOXES)

    for text in (ENGLISH, "", "Hm", "I live in Leeds."):
        page.get_by_label("Message").fill(text)
        with page.expect_response(re.compile(r"/try/$")):
            page.get_by_role("button", name="Try it").click()
        page.locator(ANSWER).first.wait_for()

        assert page.evaluate(BOXES) == before


def test_form_says_that_the_message_is_read_and_stays_as_it_is(visit: Visit) -> None:
    page = visit.open("/try/")
    held: list[Any] = []
    page.route("**/try/", lambda route: held.append(route))
    page.get_by_label("Message").fill("I live in Leeds.")
    calm = page.evaluate(BOXES)

    page.get_by_role("button", name="Try it").click()

    expect(page.get_by_text("Reading…")).to_be_visible()
    assert page.evaluate(BOXES) == calm
    held[0].continue_()
    expect(page.get_by_text("Reading…")).to_be_hidden()


def test_example_is_one_click(visit: Visit) -> None:
    page = visit.open("/try/")

    page.get_by_role("link", name="我对花生过敏").click()

    expect(page.get_by_label("Message")).to_have_value(re.compile("我对花生过敏"))
    expect(page.locator("#would-be-kept")).to_be_visible()
    assert visit.problems == []


def test_turn_is_tried_from_its_conversation(visit: Visit, alice: User) -> None:
    turn = add_turn(alice, "I live in Leeds.")
    page = visit.open(turn.conversation.get_absolute_url())

    page.get_by_role("link", name="Try this message").click()

    expect(page).to_have_url(re.compile(rf"/try/{turn.pk}/$"))
    expect(page.get_by_label("Message")).to_have_value("I live in Leeds.")
    page.get_by_label("Message").fill("I live in York.")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#would-be-kept")).to_contain_text("York")
    assert visit.problems == []


def test_turn_of_a_preview_is_tried_in_a_tab_of_its_own(visit: Visit) -> None:
    page = visit.open("/conversations/new/")
    page.get_by_label("Paste a transcript").fill("Mara: I live in York.\nquill: Noted.")
    page.get_by_role("button", name="Preview").click()

    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Try this message").first.click()

    expect(opened.value.get_by_label("Message")).to_have_value("I live in York.")
    expect(opened.value.locator("#would-be-kept")).to_be_visible()
    assert "York" not in opened.value.url
    expect(page.get_by_role("button", name="Keep it")).to_be_visible()


@pytest.fixture
def plain(chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[Visit]:
    """Alice's window with no scripts at all."""
    window = Visit(chromium, live_server, alice, java_script_enabled=False)
    yield window
    window.context.close()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_message_is_tried_without_scripts(plain: Visit, viewport: dict[str, int]) -> None:
    page = plain.open("/try/", viewport=viewport)

    page.get_by_label("Message").fill("I live in Leeds.")
    page.get_by_role("button", name="Try it").click()

    expect(page.locator("h1")).to_have_text("Try a message")
    expect(page.locator("#would-be-kept")).to_contain_text("I live in Leeds.")
    expect(page.get_by_label("Message")).to_have_value("I live in Leeds.")
