import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

import httpx
import pytest

from tests.contract.conftest import exported_model_dir
from tests.dashboard.supervision.conftest import (
    Installation,
    Up,
    furnished,
    installation,
    wait_until,
)
from tests.faults.client import Caller, ready

__all__ = ["exported_model_dir", "furnished", "installation"]

SETTINGS = {
    "LONGHAND_LEASE_SECONDS": "3",
    "LONGHAND_HEARTBEAT_SECONDS": "1",
    "LONGHAND_SLOW_WORKERS": "2",
}
READY_SECONDS = 60.0


class Running:
    """An installation whose `up` runs, and who uses it."""

    def __init__(self, installation: Installation, up: Up) -> None:
        self.installation = installation
        self.up = up

    @cached_property
    def caller(self) -> Caller:
        """The owner's token at work."""
        return Caller(self.installation)

    @cached_property
    def browser(self) -> httpx.Client:
        """A browser whose owner has used the link that `up` printed."""
        link = next(
            match[0] for line in self.up.said if (match := re.search(r"http\S+/sign-in/\S+", line))
        )
        browser = httpx.Client(base_url=self.installation.url, follow_redirects=True, timeout=20.0)
        page = browser.get(link)
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token is not None, page.text
        data = {"csrfmiddlewaretoken": token[1]}
        answer = browser.post(link, data=data, headers={"Referer": link})
        assert answer.status_code == 200, answer.text
        return browser


@contextmanager
def running_installation(*options: str, **settings: str) -> Iterator[Running]:
    """A fresh installation that runs with these settings until the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="longhand-fault-"))
    installation = Installation(folder).furnish()
    try:
        up = installation.up(*options, **settings)
        up.wait_until_running()
        yield Running(installation, up)
        up.stop()
    finally:
        installation.clean()
        shutil.rmtree(folder)


class Shared:
    """One running installation for all drills that leave it as they found it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._running: Running | None = None
        self._failed = 0

    def running(self, failed: int) -> Running:
        """The one that runs, or a new one when a test has failed since, perhaps in mid-drill."""
        if self._running is None or failed > self._failed:
            self.stop()
            self._running = self._stack.enter_context(running_installation(**SETTINGS))
            # The overview of an empty installation is another page.
            first = self._running.caller.upload("first.md", b"# First\n\nThe kettle is blue.\n")
            self._running.caller.wait_for([first], seconds=READY_SECONDS)
        self._failed = failed
        return self._running

    def stop(self) -> None:
        self._running = None
        self._stack.close()


@pytest.fixture(scope="package")
def shared() -> Iterator[Shared]:
    shared = Shared()
    yield shared
    shared.stop()


@pytest.fixture
def running(shared: Shared, request: pytest.FixtureRequest) -> Running:
    """The shared installation, with all its parts at work."""
    running = shared.running(request.session.testsfailed)
    wait_until(lambda: ready(running.installation)[0] == 200, seconds=READY_SECONDS)
    return running
