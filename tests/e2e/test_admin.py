"""The admin in a browser: a bulk edit from selection to result, on a desk and on a phone."""

from hashlib import sha256

import pytest
from playwright.sync_api import expect

from memory.models import Fact, Principal, Scope, User, across_owners, acting_as
from tests.e2e.conftest import DESK, PHONE, Visit
from tests.e2e.faults import TARGETS
from tests.fixtures import remember

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
LIST = "/admin/memory/fact/"
SIZES = "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"


@pytest.fixture
def at_desk(visit: Visit, alice: User) -> Visit:
    """Alice's window; she is a superuser here, and Bob has a memory of his own."""
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    # Said one after the other, each is held against those before it, which takes seconds.
    with acting_as(Principal(alice)):
        own = Scope.objects.for_user(alice)
        Fact.objects.bulk_create([reading(own, number) for number in range(59)])
    remember(alice, "Reading 59 of the calibration run")
    remember(User.objects.create_user("bob@example.org"), "The spare key hangs by the door")
    return visit


def reading(scope: Scope, number: int) -> Fact:
    text = f"Reading {number} of the calibration run"
    return Fact(scope=scope, text=text, search="", content_hash=sha256(text.encode()).digest())


def test_selection_of_all_that_match_is_recategorized(at_desk: Visit) -> None:
    page = at_desk.open(f"{LIST}?q=calibration", viewport=DESK)

    page.locator("#action-toggle").check()
    page.get_by_role("link", name="Select all 60").click()
    page.locator("select[name=action]").select_option(label="Change category")
    page.get_by_role("button", name="Next").click()
    page.locator("select[name=category]").select_option("decision")
    page.get_by_role("button", name="Change category").click()

    page.get_by_text("Changed the category of 60 memories.").wait_for()
    with across_owners():
        assert Fact.objects.active().filter(category="decision").count() == 60
    assert at_desk.problems == []


SAID_BEFORE = "cell => getComputedStyle(cell, '::before').content"


def test_first_column_on_a_phone_is_called_what_it_is(at_desk: Visit) -> None:
    scopes = at_desk.open("/admin/memory/scope/", viewport=PHONE)
    named = scopes.locator("#result_list tbody td").first.evaluate(SAID_BEFORE)
    memories = at_desk.open(LIST, viewport=PHONE)
    chosen = memories.locator("#result_list .action-checkbox").first.evaluate(SAID_BEFORE)

    assert (named, chosen) == ("none", '"Select"')


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_page_of_the_api_has_the_theme_that_was_chosen(at_desk: Visit, theme: str) -> None:
    page = at_desk.open("/api/v1/docs", theme=theme)
    page.locator(".opblock-summary").first.wait_for()

    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 21, 24)"}[theme]
    is_dark = page.evaluate("document.documentElement.classList.contains('dark-mode')")
    assert is_dark == (theme == "dark")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_list_fits_a_phone_and_says_whose_rows_it_shows(at_desk: Visit, theme: str) -> None:
    page = at_desk.open(f"{LIST}?q=spare", viewport=PHONE, theme=theme)

    assert page.get_by_text("private rows of other people").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert at_desk.problems == []


@pytest.mark.parametrize("place", ["index", "filters", "selected", "memory"])
def test_all_that_can_be_tapped_on_a_phone_is_large_enough(at_desk: Visit, place: str) -> None:
    page = at_desk.open("/admin/" if place == "index" else LIST, viewport=PHONE)
    if place == "filters":
        page.locator("a", has_text="Filters").click()
        page.locator("#changelist-filter").wait_for()
    if place == "selected":
        page.locator(".action-select").first.check()
        page.locator("#changelist-actions").wait_for()
    if place == "memory":
        page.locator("#result_list tbody a").first.click()
        page.wait_for_url("**/change/**")

    assert page.evaluate(TARGETS) == []


@pytest.mark.parametrize("place", ["list", "memory"])
def test_fields_are_so_large_that_no_phone_zooms_in(at_desk: Visit, place: str) -> None:
    page = at_desk.open(LIST, viewport=PHONE)
    if place == "memory":
        page.locator("#result_list tbody a").first.click()
        page.locator("textarea").first.wait_for()

    sizes = page.locator("#page :is(input[type=text], select, textarea)").evaluate_all(SIZES)

    assert sizes
    assert min(sizes) >= 16


def test_end_of_the_list_can_be_scrolled_out_from_under_the_bar(at_desk: Visit) -> None:
    page = at_desk.open(LIST, viewport=PHONE)

    page.locator(".action-select").first.check()
    page.locator("#changelist-actions").wait_for()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")

    bar = page.locator("#changelist-actions").bounding_box()
    end = page.locator("#page").get_by_role("link", name="2", exact=True).bounding_box()
    assert bar
    assert end
    assert end["y"] + end["height"] <= bar["y"]


@pytest.mark.parametrize("chosen", ["dark", "light"])
def test_theme_is_one_choice_for_mission_control_and_the_admin(at_desk: Visit, chosen: str) -> None:
    other = {"dark": "light", "light": "dark"}[chosen]
    page = at_desk.open("/", theme=other)
    page.evaluate("theme => longhandTheme(theme)", chosen)

    page.goto(f"{at_desk.server.url}/admin/")
    expect(page.locator("html")).to_have_class(chosen)
    page.evaluate("theme => Alpine.$data(document.documentElement).switchTheme(theme)", other)
    expect(page.locator("html")).to_have_class(other)
    page.goto(at_desk.server.url)

    expect(page.locator("html")).to_have_attribute("data-theme-choice", other)


@pytest.mark.parametrize("chosen", ["dark", "light"])
def test_open_page_of_the_admin_follows_a_choice_made_in_another_tab(
    at_desk: Visit, chosen: str
) -> None:
    other = {"dark": "light", "light": "dark"}[chosen]
    admin = at_desk.open("/admin/", theme=other)
    elsewhere = admin.context.new_page()
    elsewhere.goto(at_desk.server.url)

    elsewhere.evaluate("theme => longhandTheme(theme)", chosen)

    expect(admin.locator("html")).to_have_class(chosen)
    admin.evaluate("theme => Alpine.$data(document.documentElement).switchTheme(theme)", other)
    expect(elsewhere.locator("html")).to_have_attribute("data-bs-theme", other)
    expect(admin.locator("html")).to_have_class(other)


def test_open_page_of_the_admin_follows_the_computer_unless_told_otherwise(at_desk: Visit) -> None:
    page = at_desk.open("/admin/", theme="light")

    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_class("dark")
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).not_to_have_class("dark")
    page.evaluate("Alpine.$data(document.documentElement).switchTheme('light')")
    page.emulate_media(color_scheme="dark")

    expect(page.locator("html")).to_have_class("light")
