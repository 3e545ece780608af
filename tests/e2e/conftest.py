"""A browser against a live server, and one account with something of everything."""

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memory.models import User
from tests.e2e.furnishing import furnish

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
# The first look at a page may load the rules meanwhile, on a machine that does more than this.
PATIENCE_MS = 20_000


TURNED = """theme => new Promise((turned, failed) => {
  const root = document.documentElement;
  const look = () => root.dataset.bsTheme === theme ? turned() : requestAnimationFrame(look);
  setTimeout(() => failed(new Error(`The theme stays ${root.dataset.bsTheme}.`)), 5_000);
  look();
})"""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser, stopped before a test of another kind runs: its event loop must not meet one."""
    if CHROMIUM is None:
        pytest.skip("No chromium here: install the package chromium to run the browser tests.")
    # The browser's loop runs in this thread, and these tests reach the database from it on purpose.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Visit:
    """A signed-in browser window that remembers what went wrong in it."""

    def __init__(self, browser: Browser, server: LiveServer, user: User, **device: Any) -> None:
        self.server = server
        self.problems: list[str] = []
        self.context: BrowserContext = browser.new_context(
            locale="en-GB", timezone_id="UTC", **device
        )
        self.context.add_cookies([self._session_of(user)])
        self.page: Page = self.context.new_page()
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def open(self, path: str, *, viewport: dict[str, int] = DESK, theme: str = "light") -> Page:
        """A page of the server in this size and theme, once its scripts have run."""
        self.page.set_viewport_size(viewport)  # type: ignore[arg-type]  # a plain dict is fine
        self.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # light or dark
        self.page.goto(self.server.url + path)
        return self.page

    def turn(self, theme: str) -> None:
        """Show the page that is open in this theme, as when the computer turns to its night."""
        # With motion, colors glide to the new ones, and are not yet those that a person reads.
        self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]  # light or dark
        self.page.evaluate(TURNED, theme)

    def _session_of(self, user: User) -> Any:
        client = Client()
        client.force_login(user)
        cookie = client.cookies["longhand_session"]
        return {"name": "longhand_session", "value": cookie.value, "url": self.server.url}

    def _note_console(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(message.text)


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer, alice: User) -> Iterator[Visit]:
    """Alice's window; it must end without a console error."""
    window = Visit(chromium, live_server, alice)
    yield window
    window.context.close()


@pytest.fixture
def furnished(transactional_db: None, alice: User) -> dict[str, str]:
    """Alice's account with something of everything; the paths of its pages by name."""
    return furnish(alice, timezone.now() - timedelta(days=1))
