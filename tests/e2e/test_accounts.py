"""Signing in as people do it, and the pages of accounts in a real browser."""

import re
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from memory.models import User
from memory.services.accounts import create_account, create_token, make_sign_in_link
from tests.dashboard.views.test_account import path_of
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.faults import FITS, faults_of, findings_of
from tests.second_steps import PASSWORD, code_of, recovery_code_of, with_app, with_password

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TOUCH_ID = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def window(chromium: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A browser in which nobody has signed in; nothing may be wrong in its console."""
    context = chromium.new_context(base_url=live_server.url, locale="en-GB", timezone_id="UTC")
    page, problems = context.new_page(), []
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    # A form that is refused is an error to the console of a browser.
    assert [
        each for each in problems if "the server responded with a status of 400" not in each
    ] == []


def enter_by_link(window: Page, user: User) -> None:
    window.goto(path_of(make_sign_in_link(user)))
    window.get_by_role("button", name="Sign in").click()
    window.get_by_role("heading", name="Overview").wait_for()


def enter_by_password(window: Page, user: User) -> None:
    window.goto("/sign-in/")
    window.get_by_label("E-mail address").fill(user.email)
    window.get_by_label("Password").fill(PASSWORD)
    window.get_by_role("button", name="Sign in").click()


def leave(window: Page) -> None:
    window.get_by_role("button", name="Sign out").click()
    window.wait_for_url("**/sign-in/")


def test_person_comes_by_a_link_sets_a_password_and_comes_back_with_it(
    window: Page, alice: User
) -> None:
    enter_by_link(window, alice)
    window.get_by_role("link", name="Settings").click()
    window.get_by_role("link", name="Set a password").click()
    window.get_by_label("New password").fill(PASSWORD)
    window.get_by_label("The same again").fill(PASSWORD)
    window.get_by_role("button", name="Save").click()
    window.get_by_text("All other sessions have ended").wait_for()
    expect(window.get_by_text("this one")).to_have_count(1)

    leave(window)
    enter_by_password(window, alice)

    window.get_by_role("heading", name="Overview").wait_for()


def test_person_sets_up_an_app_and_comes_back_with_its_code(window: Page, alice: User) -> None:
    with_password(alice)
    enter_by_link(window, alice)
    window.goto("/settings/")
    window.get_by_role("button", name="Set up").click()
    secret = window.locator("#secret").inner_text()
    window.wait_for_function("document.querySelector('img.qr').naturalWidth > 0")
    window.get_by_label("Code").fill(code_of(secret))
    window.get_by_role("button", name="Turn on").click()
    expect(window.locator(".codes li")).to_have_count(10)

    leave(window)
    enter_by_password(window, alice)
    window.get_by_label("Code").fill("000000")
    window.get_by_role("button", name="Sign in").click()
    window.get_by_text("That code is not right").wait_for()
    window.get_by_label("Code").fill(code_of(secret))
    window.get_by_role("button", name="Sign in").click()

    window.get_by_role("heading", name="Overview").wait_for()


IS_BAD = """element => {
  const probe = Object.assign(document.createElement("i"), {className: "bad"});
  document.body.append(probe);
  return getComputedStyle(element).color === getComputedStyle(probe).color;
}"""


def test_wrong_code_at_the_gate_is_told_in_the_color_of_failures(window: Page, alice: User) -> None:
    with_app(with_password(alice))
    enter_by_password(window, alice)
    window.get_by_label("Code").fill("000000")
    window.get_by_role("button", name="Sign in").click()

    error = window.get_by_text("That code is not right")

    error.wait_for()
    assert error.evaluate(IS_BAD)


def test_person_makes_a_passkey_and_comes_back_with_it_alone(window: Page, alice: User) -> None:
    debugger = window.context.new_cdp_session(window)
    debugger.send("WebAuthn.enable")
    debugger.send("WebAuthn.addVirtualAuthenticator", {"options": TOUCH_ID})
    enter_by_link(window, alice)
    window.goto("/settings/")
    window.get_by_role("link", name="Add a passkey").click()
    window.get_by_label("Name").fill("laptop")
    window.get_by_role("button", name="Make it").click()
    window.get_by_role("heading", name="Recovery codes").wait_for()
    assert Authenticator.objects.get(type="webauthn").data["name"] == "laptop"

    leave(window)
    window.get_by_role("button", name="Use a passkey").click()
    window.get_by_role("heading", name="Overview").wait_for()

    leave(window)
    window.goto(path_of(make_sign_in_link(alice)))
    window.get_by_role("button", name="Sign in").click()
    window.get_by_role("heading", name="Second step").wait_for()
    window.wait_for_load_state()  # before, the script that the button needs may not be there
    window.get_by_role("button", name="Use a passkey").click()
    window.get_by_role("heading", name="Overview").wait_for()


def test_token_is_copied_with_one_press(window: Page, alice: User) -> None:
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    enter_by_link(window, alice)
    window.goto("/agents/new/")
    window.get_by_label("Name").fill("quill")
    window.get_by_role("button", name="Make its token").click()
    window.get_by_role("button", name="Copy").first.click()
    window.get_by_text("Copied").wait_for()

    copied = window.evaluate("navigator.clipboard.readText()")

    assert copied == window.locator("#token").inner_text()


@pytest.fixture
def pages(alice: User) -> list[str]:
    """Alice on the staff, with a second step that she just proved, and something on each page."""
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    for agent in ("quill", "a very long name of an agent that nobody would ever want " * 2):
        create_token(alice, agent=agent.strip(), name="the laptop in the kitchen")
    create_account("somebody.with.a.long.address@a-department.of.example.org")
    with_app(alice)
    names = ("settings", "settings-password", "recovery-codes", "passkey-create", "token-list")
    return [reverse(name) for name in (*names, "agent-list", "agent-create", "people-list")]


def test_pages_of_accounts_are_accessible_and_fit_in_both_themes(
    visit: Visit, alice: User, pages: list[str]
) -> None:
    asked = visit.open(reverse("recovery-codes"), viewport=PHONE)
    assert findings_of(asked) == []
    asked.get_by_label("Code").fill(recovery_code_of(alice))
    asked.get_by_role("button", name="Go on").click()
    asked.get_by_role("heading", name="Recovery codes").wait_for()

    for path in pages:
        assert faults_of(visit, path) == []
        assert re.search(path, visit.page.url), "another page than this was shown"
    assert visit.problems == []


def test_gates_of_accounts_are_accessible_and_fit_a_phone(window: Page, alice: User) -> None:
    with_app(with_password(alice))
    window.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a plain dict is fine
    for path in ("/sign-in/", "/sign-in/forgot/"):
        window.goto(path)
        assert findings_of(window) == [], path
    enter_by_password(window, alice)
    window.get_by_role("heading", name="Second step").wait_for()

    assert window.evaluate(FITS)
    assert findings_of(window) == []
