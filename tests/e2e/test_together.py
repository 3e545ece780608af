"""Two people beside each other, one without a mouse, and what the first page weighs."""

import gzip
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Response, expect
from pytest_django.live_server_helper import LiveServer

from memory.models import User
from tests.e2e.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_BYTES = 350_000
FONT = re.compile(r"\.woff2$")


@pytest.fixture
def beside(chromium: Browser, live_server: LiveServer, staff: User) -> Iterator[Visit]:
    """The window of somebody on the staff, beside alice's."""
    window = Visit(chromium, live_server, staff)
    yield window
    window.context.close()


def add_memory(page: Page, text: str, reader: str) -> None:
    page.get_by_role("link", name="Add a memory").first.click()
    page.locator("[name=text]").fill(text)
    page.locator("[name=scope]").select_option(reader)
    page.get_by_role("button", name="Remember").click()
    expect(page.locator("h1")).to_contain_text(text)


def test_two_people_side_by_side_see_their_own_and_what_is_for_everyone(
    visit: Visit, beside: Visit
) -> None:
    hers, theirs = visit.open("/memories/"), beside.open("/memories/")
    add_memory(hers, "Alice keeps the spare key", "user")
    add_memory(theirs, "The office closes at six", "global")

    seen_by_her = visit.open("/memories/?q=the").locator("#facts tbody tr").all_inner_texts()
    seen_by_them = beside.open("/memories/?q=the").locator("#facts tbody tr").all_inner_texts()
    refused = theirs.goto(hers_address := _address_of(visit, "spare key"))

    assert sorted("spare key" in row for row in seen_by_her) == [False, True]
    assert ["office closes" in row for row in seen_by_them] == [True]
    assert refused is not None
    assert refused.status == 404, hers_address
    assert visit.problems == []


def test_memory_is_found_corrected_and_put_back_without_a_mouse(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["overview"])
    press = page.keyboard.press

    press("/")
    page.keyboard.type("penicillin housings"[11:])
    press("Enter")
    expect(page.locator("#facts tbody tr")).to_have_count(1)
    page.locator("#facts .txt").focus()
    press("Enter")
    expect(page.locator("h1")).to_contain_text("housings")
    page.wait_for_load_state()  # before, nobody listens to the keys
    press("e")
    page.locator("[name=text]").focus()
    page.wait_for_load_state()
    press("Control+a")
    page.keyboard.type("Tomasz Reyl has left; ask Ines about housings.")
    press("Control+Enter")
    expect(page.locator("h1")).to_contain_text("ask Ines about housings")
    page.locator("#flash").get_by_role("button", name="Undo").focus()
    press("Enter")

    expect(page.locator("h1")).to_contain_text("is the contact for sensor housings")


def test_tour_goes_through_five_steps_by_the_arrows(visit: Visit) -> None:
    page = visit.open("/")

    page.get_by_role("button", name="Take the tour").first.click()
    titles = []
    for _ in range(5):
        titles.append(page.locator("#tour [data-step]:not([hidden]) h3").inner_text())
        page.keyboard.press("ArrowRight")

    assert titles == ["Memories", "Conversations", "Documents", "Recall", "Who reads what"]
    expect(page.locator("#tour")).to_be_hidden()


def test_first_load_transfers_little(furnished: dict[str, str], visit: Visit) -> None:
    answers: list[Response] = []
    visit.page.on("response", lambda answer: answers.append(answer))

    visit.open(furnished["overview"])

    weights = {answer.url: _weight(answer) for answer in answers}
    assert len(weights) > 10
    assert min(weights.values()) > 0
    assert sum(weights.values()) <= MOST_BYTES, weights


def _address_of(visit: Visit, words: str) -> str:
    link = visit.open(f"/memories/?q={words}").locator("#facts .txt").first
    return visit.server.url + str(link.get_attribute("href"))


def _weight(answer: Response) -> int:
    """What a web process sends of it: everything but fonts is packed."""
    content = answer.body()
    return len(content) if FONT.search(answer.url) else len(gzip.compress(content))
