"""A body that is too large is refused before any of it is on the disk."""

import asyncio
import json
from typing import Any

import pytest
from django.urls import reverse

from dashboard import body_limit
from dashboard.body_limit import SLACK_BYTES, UPLOADS, BodyLimit
from dashboard.project.asgi import application

PIECE = b"x" * 1000


@pytest.fixture(autouse=True)
def small_limits(settings: Any) -> None:
    settings.LONGHAND_MAX_UPLOAD_BYTES = 50_000
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 5_000


@pytest.fixture
def no_slack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limit, "SLACK_BYTES", 0)


class Client:
    """Sends a body piece by piece for as long as it is asked, and keeps the answer."""

    def __init__(self, path: str, *, pieces: int, announced: int | None = None) -> None:
        headers = [(b"host", b"localhost"), (b"content-type", b"text/plain")]
        if announced is not None:
            headers.append((b"Content-Length", str(announced).encode()))
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "query_string": b"",
            "headers": headers,
        }
        self.taken = 0
        self.pieces = pieces
        self.answers: list[Any] = []

    async def receive(self) -> dict[str, Any]:
        if self.taken == self.pieces:
            return {"type": "http.disconnect"}
        self.taken += 1
        return {"type": "http.request", "body": PIECE, "more_body": self.taken < self.pieces}

    async def send(self, message: Any) -> None:
        self.answers.append(message)

    def ask(self, served: Any = application) -> int:
        asyncio.run(asyncio.wait_for(served(self.scope, self.receive, self.send), 20))
        return int(self.answers[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.answers[1:])


async def counting(scope: Any, receive: Any, send: Any) -> None:
    """Reads the whole body and tells its size, or gives up when it breaks off."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def test_announced_body_is_refused_without_reading_any_of_it():
    client = Client("/sign-in/", pieces=9, announced=9_000)

    assert client.ask() == 413
    assert client.taken == 0
    assert b"That is too much at once" in client.body


@pytest.mark.parametrize("announced", [None, 10])
def test_body_is_refused_once_it_exceeds_whatever_it_announced(announced):
    client = Client("/sign-in/", pieces=1000, announced=announced)

    assert client.ask() == 413
    assert client.taken == 6


def test_api_answers_with_a_problem():
    client = Client("/api/v1/turns", pieces=1, announced=9_000)

    assert client.ask() == 413
    headers = dict(client.answers[0]["headers"])
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"content-length"] == str(len(client.body)).encode()
    assert json.loads(client.body)["status"] == 413
    assert "0.005 MB" in json.loads(client.body)["detail"]


@pytest.mark.parametrize("path", sorted(UPLOADS))
def test_upload_may_be_as_large_as_a_file_and_no_larger(no_slack, path):
    allowed, refused = Client(path, pieces=50), Client(path, pieces=51)

    assert allowed.ask(BodyLimit(counting)) == 200
    assert allowed.body == b"50000"
    assert refused.ask(BodyLimit(counting)) == 413


def test_form_round_a_file_of_the_largest_size_has_room():
    assert Client("/documents/upload/", pieces=51).ask(BodyLimit(counting)) == 200
    assert SLACK_BYTES < 2_000_000


def test_uploads_are_the_addresses_that_store_files():
    assert {reverse("api:document-create"), reverse("document-upload")} == UPLOADS


def test_other_protocols_pass():
    seen = []

    async def served(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    asyncio.run(BodyLimit(served)({"type": "lifespan"}, None, None))  # type: ignore[arg-type]

    assert seen == ["lifespan"]
