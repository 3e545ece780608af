"""The line drops or the server stops: nothing typed is lost, and coming back is noticed."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from memory.models import Fact, Principal, User, acting_as
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.test_refresh import asked, beats, opened

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LIVE = "**/api/v1/health/live"
TYPED = "Ines hands the sign-off to Tomasz in May."
KEPT = "What you typed is still here"
FORMS = [("edit", "Save"), ("new memory", "Remember"), ("new transcript", "Preview")]
IS_BACK = "window.dispatchEvent(new Event('online'))"
IS_SEEN = "document.dispatchEvent(new Event('visibilitychange'))"


def _offline(page: Page) -> None:
    page.context.set_offline(True)


def _online(page: Page) -> None:
    page.context.set_offline(False)


def _stopped(page: Page) -> None:
    page.route("**/*", lambda route: route.abort("connectionrefused"))


def _started(page: Page) -> None:
    page.unroute("**/*")


def _down_behind_a_proxy(page: Page) -> None:
    page.route("**/*", lambda route: route.fulfill(status=502, body="Bad gateway"))


OUTAGES = [(_offline, _online), (_stopped, _started), (_down_behind_a_proxy, _started)]


def sent(page: Page) -> list[str]:
    """The bodies of the forms that leave from now on; grows as they do."""
    found: list[str] = []
    page.on(
        "request",
        lambda request: found.append(request.post_data or "") if request.method == "POST" else None,
    )
    return found


@pytest.mark.parametrize(("name", "button"), FORMS, ids=[name for name, _ in FORMS])
@pytest.mark.parametrize(("end", "begin"), OUTAGES, ids=["offline", "stopped", "behind a proxy"])
def test_typed_text_outlives_an_outage(
    furnished: dict[str, str],
    visit: Visit,
    name: str,
    button: str,
    end: Callable[[Page], None],
    begin: Callable[[Page], None],
) -> None:
    page = visit.open(furnished[name], viewport=PHONE)
    page.locator("[name=text]").fill(TYPED)
    forms = sent(page)
    end(page)

    page.get_by_role("button", name=button, exact=True).click()

    expect(page.locator("#trouble")).to_contain_text(KEPT)
    expect(page.locator("#trouble")).to_be_in_viewport()
    expect(page.locator("[name=text]")).to_have_value(TYPED)
    assert forms == []
    begin(page)
    page.locator("#trouble").get_by_role("button", name="Try now").click()
    page.wait_for_event("load")
    expect(page.locator("main")).to_contain_text(TYPED)
    expect(page.locator("#trouble")).to_be_hidden()
    assert len(forms) == 1


def test_form_is_sent_with_the_button_that_was_pressed(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["new transcript"])
    page.locator("[name=text]").fill(f"User: {TYPED}\n\nAssistant: I will remember that.")
    page.get_by_role("button", name="Preview", exact=True).click()

    page.get_by_role("button", name="Keep it").click()

    expect(page).to_have_url(re.compile(r"/conversations/[0-9a-f-]{36}/"))
    assert visit.problems == []


def test_two_taps_send_one_form(furnished: dict[str, str], visit: Visit, alice: User) -> None:
    page = visit.open(furnished["new memory"])
    page.locator("[name=text]").fill(TYPED)
    forms = sent(page)
    held: list[Route] = []
    save = page.get_by_role("button", name="Remember")
    save.scroll_into_view_if_needed()
    box = save.bounding_box()
    assert box is not None
    place = (box["x"] + 5, box["y"] + 5)
    page.route(LIVE, lambda route: held.append(route))
    page.route(re.compile("/memories/new/$"), lambda route: held.append(route))

    # Both taps before Longhand is known to answer, and one more while the form is on its way.
    with page.expect_request(LIVE):
        save.dblclick(no_wait_after=True)
    with page.expect_request(re.compile("/memories/new/$")):
        held.pop(0).continue_()
    page.mouse.click(*place)
    held.pop(0).continue_()

    expect(page.locator("h1")).to_contain_text(TYPED)
    assert held == []
    assert len(forms) == 1
    with acting_as(Principal(alice)):
        assert Fact.objects.filter(text=TYPED).count() == 1


def test_error_of_the_form_itself_is_shown_as_before(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["new memory"])
    page.locator("[name=text]").fill("   ")

    page.get_by_role("button", name="Remember").click()

    expect(page.locator(".form-error")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()


@pytest.mark.parametrize("event", [IS_BACK, IS_SEEN], ids=["the line", "the tab"])
def test_coming_back_ends_the_wait_that_an_outage_made(visit: Visit, event: str) -> None:
    page = opened(visit, "/jobs/")
    page.route(re.compile("/jobs/"), lambda route: route.abort())
    for _ in range(2):
        with page.expect_event("requestfailed"), page.expect_event("requestfailed"):
            page.clock.run_for(60_000)
    expect(page.locator("#trouble")).to_contain_text("does not answer")
    page.unroute(re.compile("/jobs/"))
    refreshes = asked(page, "after=")
    beats(page, 1)
    assert refreshes == []

    page.evaluate(event)

    expect(page.locator("#trouble")).to_be_hidden()
    assert len(refreshes) == 1


def test_coming_back_disturbs_nobody_who_is_at_something(visit: Visit) -> None:
    page = opened(visit, "/jobs/")
    refreshes = asked(page, "after=")
    page.keyboard.press("?")
    expect(page.locator("dialog#shortcuts")).to_be_visible()

    page.evaluate(IS_BACK)
    page.keyboard.press("Escape")
    expect(page.locator("dialog#shortcuts")).to_be_hidden()

    assert refreshes == []
