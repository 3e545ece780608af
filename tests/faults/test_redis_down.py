"""Redis as the broker goes away and comes back; what is sent meanwhile is read in the end."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.dashboard.supervision.conftest import Installation, free_port, wait_until
from tests.faults.client import Caller, ready, wait_for_part
from tests.faults.conftest import running_installation
from tests.mail_server import mail_server
from tests.redis_server import address_of, redis_server

pytestmark = pytest.mark.slow

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Site:
    """An installation with a broker of its own and a post office."""

    installation: Installation
    mails: list[str]
    folder: Path
    port: int
    broker: ExitStack

    def start_broker(self) -> None:
        """Have Redis answer at its address."""
        self.broker.enter_context(redis_server(self.folder, self.port))

    @contextmanager
    def without_broker(self) -> Iterator[None]:
        """Inside, Redis is away."""
        self.broker.close()
        try:
            yield
        finally:
            self.start_broker()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for both drills, which leave it as they found it."""
    port = free_port()
    with ExitStack() as stack:
        mail_address, mails = stack.enter_context(mail_server())
        broker = stack.enter_context(ExitStack())
        folder = tmp_path_factory.mktemp("redis")
        broker.enter_context(redis_server(folder, port))
        settings = {
            "LONGHAND_REDIS_URL": address_of(port),
            "LONGHAND_HEARTBEAT_SECONDS": "1",
            "LONGHAND_EMAIL_URL": mail_address,
        }
        installation = stack.enter_context(running_installation(**settings)).installation
        yield Site(installation, mails, folder, port, broker)


def test_input_is_stored_while_redis_is_down_and_read_once_it_is_back(site: Site) -> None:
    installation, caller = site.installation, Caller(site.installation)
    before = caller.upload("before.txt", b"The bell rings twice.")
    first = caller.wait_for([before], seconds=SECONDS)

    with site.without_broker():
        down = wait_for_part(installation, "broker", ["degraded"], seconds=SECONDS)
        status, _ = ready(installation)
        meanwhile = caller.upload("meanwhile.txt", b"The bell is cracked.")
        waiting = caller.document(meanwhile)["status"]
    back = wait_for_part(installation, "broker", ["ok"], seconds=SECONDS)
    ended = caller.wait_for([meanwhile], seconds=SECONDS)

    assert first[0]["status"] == ended[0]["status"] == "done"
    assert "LONGHAND_REDIS_URL" in down["remedy"]
    assert (status, waiting, back["state"]) == (200, "queued", "ok")


def ask_for_link(address: str, email: str) -> str:
    """What the page says to somebody who has forgotten the password."""
    with httpx.Client(base_url=address, timeout=SECONDS) as browser:
        page = browser.get("/sign-in/forgot/").text
        token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        form = {"email": email, "csrfmiddlewaretoken": token}
        return browser.post("/sign-in/forgot/", data=form, headers={"Origin": address}).text


def test_link_that_is_asked_for_while_redis_is_down_is_mailed_once_it_is_back(site: Site) -> None:
    wait_for_part(site.installation, "broker", ["ok"], seconds=SECONDS)

    with site.without_broker():
        wait_for_part(site.installation, "broker", ["degraded"], seconds=SECONDS)
        said = ask_for_link(site.installation.url, "owner@localhost")
        meanwhile = list(site.mails)
    wait_until(lambda: bool(site.mails), seconds=SECONDS)

    assert "owner@localhost" in said
    assert meanwhile == []
    assert "/sign-in/" in site.mails[0]
