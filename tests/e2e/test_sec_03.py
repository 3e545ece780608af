"""SEC-03: an active file that somebody uploads runs nowhere here, nor is its text markup."""

import json
import urllib.request
from http.client import HTTPMessage
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from ingest.tasks import read_next_document
from memory.models import User
from memory.services.accounts import create_token
from tests.cases.foreign import FOLDER as FOREIGN
from tests.cases.foreign import needs_cases
from tests.cases.handed import FOLDER
from tests.e2e.conftest import Visit

ACTIVE = {
    "SEC-03_active.html": (FOLDER / "SEC-03_active.html").read_bytes(),
    "SEC-03_active.svg": (FOLDER / "SEC-03_active.svg").read_bytes(),
    # Their neighbors: what a browser would guess from the bytes, whatever the name says.
    "page.xhtml": b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t'
    b'</title><script>document.title="PROBE7Q"</script></head><body>merlin</body></html>',
    "note.txt": b'<script>document.title="PROBE7Q"</script> merlin',
    "picture.png": b'<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=\'PROBE7Q\'">'
    b"<text>kestrel</text></svg>",
    "readme.md": b"# merlin\n\n<img src=x onerror=\"document.title='PROBE7Q'\">\n\n"
    b"[go](javascript:document.title='PROBE7Q')\n",
    "mail.eml": b"From: a@b.example\nSubject: merlin\nContent-Type: text/html\n\n"
    b"<p>merlin</p><script>document.title='PROBE7Q'</script>",
    'x"><script>document.title=`PROBE7Q`<\u2044script>.txt': b"The merlin is in its name.",
}
pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _own_home(settings: Any, tmp_path: Path) -> None:
    settings.LONGHAND_HOME = tmp_path


@needs_cases
def test_files_here_are_those_that_were_handed() -> None:
    assert FOREIGN
    for name in ("SEC-03_active.html", "SEC-03_active.svg"):
        assert ACTIVE[name] == (FOREIGN / "handed" / name).read_bytes()


def upload(user: User, name: str) -> str:
    """The id of this file, read to its end."""
    client = Client(headers={"Authorization": f"Bearer {create_token(user)}"})
    file = SimpleUploadedFile(name, ACTIVE[name])
    answer = client.post("/api/v1/documents", {"file": file})
    assert answer.status_code == 202
    read_next_document()
    return str(answer.json()["id"])


def fetched(url: str, headers: dict[str, str]) -> tuple[HTTPMessage, bytes]:
    """The head and the body that a server sends over HTTP."""
    asked = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return answer.headers, answer.read()


@pytest.mark.parametrize("name", ACTIVE)
@pytest.mark.parametrize("way", ["page", "api"])
def test_active_file_is_sent_as_a_download_that_may_do_nothing(
    live_server: LiveServer, alice: User, name: str, way: str
) -> None:
    document = upload(alice, name)
    if way == "api":
        path = f"/api/v1/documents/{document}/file"
        headers = {"Authorization": f"Bearer {create_token(alice)}"}
    else:
        path, client = reverse("document-file", args=[document]), Client()
        client.force_login(alice)
        headers = {"Cookie": f"longhand_session={client.cookies['longhand_session'].value}"}

    head, body = fetched(live_server.url + path, headers)

    assert body == ACTIVE[name]
    assert head["Content-Disposition"].startswith("attachment;")
    assert head["Content-Type"] == "application/octet-stream"
    assert head.get_all("X-Content-Type-Options") == ["nosniff"]
    assert head.get_all("Content-Security-Policy") == ["default-src 'none'; sandbox"]
    assert "no-store" in head["Cache-Control"]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("name", ACTIVE)
def test_active_file_runs_nothing_wherever_a_browser_meets_it(
    visit: Visit, alice: User, name: str
) -> None:
    document = upload(alice, name)
    detail = reverse("document-detail", args=[document])
    titles: list[str] = []
    visit.page.on("framenavigated", lambda frame: titles.append(frame.title()))

    for path in (detail, "/documents/", "/"):
        page = visit.open(path)
        page.wait_for_timeout(150)
        titles.append(page.title())
    page = visit.open(detail)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the file").click()
    titles.append(page.title())

    assert Path(saved.value.path()).read_bytes() == ACTIVE[name]
    assert page.url.endswith(detail)
    assert len(titles) >= 4
    assert not any("PROBE7Q" in title and "script" not in title for title in titles)
    refused = [each for each in visit.problems if "Content Security Policy" in each]
    assert refused == []


@pytest.mark.browser
@pytest.mark.slow
def test_markup_in_the_text_of_a_document_is_shown_as_its_characters(
    visit: Visit, alice: User
) -> None:
    document = upload(alice, "note.txt")

    page = visit.open(reverse("document-detail", args=[document]))

    for column in ("#source", "#passages"):
        expect(page.locator(column)).to_contain_text('<script>document.title="PROBE7Q"</script>')
    assert page.locator("#document script").count() == 0
    assert page.title() == "note.txt · Longhand"


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SEC-03_active.html", "SEC-03_active.svg"])
def test_file_that_is_embedded_in_another_page_stays_a_download(
    chromium: Browser, live_server: LiveServer, alice: User, name: str
) -> None:
    """As a page of an attacker would try with a signed-in reader."""
    window = Visit(chromium, live_server, alice)
    address = live_server.url + reverse("document-file", args=[upload(alice, name)])
    page = window.context.new_page()

    page.set_content(
        f'<iframe src="{address}"></iframe><img src="{address}"><embed src="{address}">'
    )
    page.wait_for_timeout(500)

    shown = [frame.content() for frame in page.frames[1:]]
    assert shown
    assert all("merlin" not in each and "kestrel" not in each for each in shown)
    assert "PROBE7Q" not in json.dumps([page.title(), *(frame.title() for frame in page.frames)])
    window.context.close()
