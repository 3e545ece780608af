"""Live refresh: it changes what is old, and moves nothing that somebody is at."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from memory.models import JobRun, User
from tests.e2e.conftest import Visit
from tests.fixtures import remember

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# The page's own clock, so that minutes pass at once and every refresh is one that the page chose.
BEAT_MS = 5_000
ANSWER_MS = 200  # what an answer takes of that time
STATE = """() => ({
  scroll: Math.round(scrollY), focus: document.activeElement.id,
  caret: document.activeElement.selectionStart, typed: document.querySelector('#find')?.value,
  selected: getSelection().toString(), open: document.querySelectorAll('details[open]').length,
  dialog: document.querySelectorAll('dialog[open]').length,
})"""


def opened(visit: Visit, path: str) -> Page:
    """A page whose clock stands still until a test lets it run."""
    now = timezone.now()
    # It runs from its start to the pause, and cannot be paused at what has passed.
    visit.page.clock.install(time=now - timedelta(minutes=1))
    visit.page.clock.pause_at(now)
    return visit.open(path)


def beats(page: Page, number: int) -> None:
    """So many chances to refresh, whether or not the page takes them."""
    for _ in range(number):
        page.mouse.move(5, 5)
        page.clock.run_for(BEAT_MS)


def refreshes_at_the_next_beat(page: Page) -> None:
    with page.expect_response(lambda response: "hx-request" in response.request.headers):
        beats(page, 1)


def asked(page: Page, part: str) -> list[str]:
    """The addresses of the refreshes from now on; grows as they come."""
    found: list[str] = []
    page.on(
        "request",
        lambda request: (
            found.append(request.url)
            if request.headers.get("hx-request") and part in request.url
            else None
        ),
    )
    return found


def test_refresh_shows_what_is_new_on_the_overview(
    furnished: dict[str, str], visit: Visit, alice: User
) -> None:
    page = opened(visit, furnished["overview"])
    before = int(page.locator("#count-memories").inner_text())
    JobRun.objects.create(kind="embed", owner=alice, outcome="failed", error="No model.")
    remember(alice, "The demo is on Thursday.", kind="event")

    refreshes_at_the_next_beat(page)

    expect(page.locator("#needs")).to_contain_text("Embed failed once")
    expect(page.locator("#activity")).to_contain_text("The demo is on Thursday.")
    expect(page.locator("#count-memories")).to_have_text(str(before + 1))
    assert visit.problems == []


def test_three_refreshes_leave_scroll_and_typed_words_as_they_are(
    furnished: dict[str, str], visit: Visit, alice: User
) -> None:
    page = opened(visit, furnished["overview"])
    refreshes = asked(page, visit.server.url)
    search = page.locator(".ask input")
    search.fill("half a wor")
    search.evaluate("box => { box.id = 'find'; box.setSelectionRange(4, 4); }")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    before = page.evaluate(STATE)
    memories = int(page.locator("#count-memories").inner_text())
    remember(alice, "The demo is on Thursday.")

    for _ in range(3):
        refreshes_at_the_next_beat(page)
        # The answer alone is not yet the page that it changes.
        expect(page.locator("#count-memories")).to_have_text(str(memories + 1))

    after = page.evaluate(STATE)
    assert abs(after.pop("scroll") - before.pop("scroll")) <= 5
    assert after == before
    assert (before["typed"], before["caret"], before["focus"]) == ("half a wor", 4, "find")
    assert len(refreshes) == 3


# What an input method had begun is lost when the page ends it before the person does.
LISTEN = """box => {
  window.heard = [];
  for (const name of ['compositionstart', 'compositionend', 'blur'])
    box.addEventListener(name, event => heard.push(`${name} ${event.data ?? ''}`.trim()));
}"""


@pytest.mark.parametrize("box", [".ask input", "#find"], ids=["search of all pages", "filter"])
def test_refreshes_leave_what_an_input_method_composes(
    furnished: dict[str, str], visit: Visit, alice: User, box: str
) -> None:
    page = opened(visit, furnished["memories"])
    refreshes = asked(page, "since=")
    keys = page.context.new_cdp_session(page)
    search = page.locator(box)
    search.fill("demo is on ")
    search.evaluate(LISTEN)
    remember(alice, "The demo is on 木曜日.", kind="event")

    for composed in ("も", "もく", "もくよう"):
        place = {"selectionStart": len(composed), "selectionEnd": len(composed)}
        keys.send("Input.imeSetComposition", {"text": composed, **place})
        refreshes_at_the_next_beat(page)
        expect(page.locator("#facts-news")).to_contain_text("1 new memory")
        assert search.input_value() == f"demo is on {composed}"
    before_the_end = page.evaluate("heard")
    keys.send("Input.insertText", {"text": "木曜"})

    assert before_the_end == ["compositionstart"]
    assert page.evaluate("heard") == ["compositionstart", "compositionend 木曜"]
    assert search.input_value() == "demo is on 木曜"
    assert len(refreshes) == 3
    page.keyboard.press("Enter")
    expect(page.locator("#facts tbody tr")).to_have_count(1)
    expect(page.locator("#facts tbody tr")).to_contain_text("The demo is on 木曜日.")
    assert visit.problems == []


def test_refresh_waits_while_somebody_selects_points_opens_or_is_asked(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = opened(visit, furnished["documents"])
    refreshes = asked(page, visit.server.url)
    page.locator("details.menu > summary").first.click()
    beats(page, 3)
    assert page.evaluate(STATE)["open"] == 1

    page.keyboard.press("Escape")
    page.keyboard.press("?")
    beats(page, 3)
    assert page.evaluate(STATE)["dialog"] == 1

    page.keyboard.press("Escape")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    beats(page, 3)
    assert page.evaluate(STATE)["selected"] == "Documents"
    assert refreshes == []

    page.evaluate("getSelection().removeAllRanges()")
    refreshes_at_the_next_beat(page)
    assert len(refreshes) == 1


def test_list_under_the_pointer_stays_until_the_pointer_leaves(
    furnished: dict[str, str], visit: Visit, alice: User
) -> None:
    page = opened(visit, furnished["overview"])
    refreshes = asked(page, visit.server.url)
    page.locator("#activity li").first.hover()

    for _ in range(3):
        page.clock.run_for(BEAT_MS)
    assert refreshes == []

    refreshes_at_the_next_beat(page)
    assert len(refreshes) == 1


def test_runs_say_how_many_are_new_and_stay_where_they_are(
    furnished: dict[str, str], visit: Visit, alice: User
) -> None:
    page = opened(visit, "/jobs/")
    rows = page.locator("#runs tbody tr")
    first = rows.first.get_attribute("id")
    JobRun.objects.create(kind="capture", owner=alice, outcome="done")

    refreshes_at_the_next_beat(page)

    expect(page.locator("#runs-news")).to_contain_text("1 new run")
    assert rows.first.get_attribute("id") == first
    expect(page.locator("#job-capture")).to_be_visible()
    page.locator("#runs-news a").click()
    expect(rows.first).to_contain_text("Capture")
    assert visit.problems == []


def test_error_is_said_once_and_polling_goes_on_more_slowly(visit: Visit) -> None:
    page = opened(visit, "/jobs/")
    refreshes = asked(page, "after=")
    refused: list[Route] = []
    page.route(re.compile("/jobs/"), lambda route: refused.append(route), times=2)

    with page.expect_request(re.compile("/jobs/$")), page.expect_request(re.compile("after=")):
        beats(page, 1)
    page.clock.run_for(ANSWER_MS)
    for each in refused:
        each.fulfill(status=500)
    expect(page.locator("#trouble")).to_contain_text("error (500). Next try in 10 s.")
    beats(page, 1)
    assert len(refreshes) == 1

    refreshes_at_the_next_beat(page)
    expect(page.locator("#trouble")).to_be_hidden()
    assert len(refreshes) == 2


def test_signed_out_elsewhere_leads_to_the_sign_in_page_once(visit: Visit) -> None:
    page = opened(visit, "/jobs/")
    visited: list[str] = []
    page.on("framenavigated", lambda frame: visited.append(frame.url))
    visit.context.clear_cookies()

    beats(page, 2)

    expect(page).to_have_url(re.compile(r"/sign-in/\?next=%2Fjobs%2F$"))
    assert len(visited) == 1


def test_hidden_tab_asks_nothing_and_once_when_it_is_back(visit: Visit) -> None:
    page = opened(visit, "/jobs/")
    refreshes = asked(page, "after=")
    hide = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => %s})"
    page.evaluate(hide % "true")

    page.clock.run_for(5 * 60_000)
    assert refreshes == []

    page.evaluate(hide % "false")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    refreshes_at_the_next_beat(page)
    assert len(refreshes) == 1


def test_arrows_go_from_heartbeat_to_heartbeat(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open("/jobs/")
    bar = page.locator("#job-read-document [data-beats]")
    bar.locator("a").last.focus()

    page.keyboard.press("ArrowLeft")

    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == bar.locator("a").nth(-2).get_attribute("aria-label")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Read document")


def test_filter_takes_effect_when_it_is_chosen(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open("/jobs/")

    page.get_by_label("Outcome").select_option("wrong")

    expect(page).to_have_url(re.compile(r"/jobs/\?outcome=wrong#runs$"))
    expect(page.locator("#runs tbody tr")).to_have_count(1)
    assert visit.problems == []
