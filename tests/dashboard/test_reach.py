"""Reaching Longhand by other names and through a proxy, over real HTTP."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from django.test import Client
from pytest_django.fixtures import Settings
from structlog.contextvars import bound_contextvars, get_contextvars

from dashboard.request_log import RequestLogMiddleware
from dashboard.supervision.ports import open_listener
from dashboard.supervision.web import configuration
from memory.models import User
from tests.dashboard.supervision.conftest import wait_until

FORWARDED = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}


async def mirror(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application that answers with who asked it, and how."""
    seen = {"scheme": scope["scheme"], "caller": scope["client"][0]}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(seen).encode()})


@contextmanager
def served() -> Iterator[str]:
    """The mirror behind the web process's own server."""
    listener = open_listener("127.0.0.1", 0)
    server = uvicorn.Server(configuration(mirror))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize(
    ("trusted", "seen"),
    [
        ([], {"scheme": "http", "caller": "127.0.0.1"}),
        (["10.0.0.0/8"], {"scheme": "http", "caller": "127.0.0.1"}),
        (["127.0.0.0/8"], {"scheme": "https", "caller": "198.51.100.7"}),
    ],
)
def test_forwarded_headers_count_from_a_trusted_proxy_only(
    settings: Settings, trusted: list[str], seen: dict[str, str]
) -> None:
    settings.LONGHAND_TRUSTED_PROXIES = trusted

    with served() as address:
        answer = httpx.get(address, headers=FORWARDED).json()

    assert answer == seen


@pytest.mark.parametrize("path", ["/", "/api/v1/health/live", "/no/such/page"])
def test_unknown_host_is_told_the_setting_and_not_what_is_in_it(
    client: Client, path: str, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["memory.example.org"]

    answer = client.get(path, headers={"Host": "other.example.org"})

    text = answer.content.decode()
    assert answer.status_code == 400
    assert "LONGHAND_HOSTS" in text
    assert "memory.example.org" not in text
    assert answer["Content-Type"].startswith(
        "application/problem+json" if "/api/" in path else "text/html"
    )


@pytest.mark.parametrize(
    ("origin", "status"), [("https://memory.example.org", 200), ("https://evil.example.org", 403)]
)
def test_form_is_taken_from_a_trusted_origin_only(
    alice: User, settings: Settings, origin: str, status: int
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://memory.example.org"]
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    browser.get("/memories/new/")
    token = browser.cookies["longhand_csrf"].value

    answer = browser.post(
        "/recall/", {"query": "tide", "csrfmiddlewaretoken": token}, headers={"Origin": origin}
    )

    assert answer.status_code == status


def test_log_lines_name_the_caller_whom_the_server_saw(client: Client, db: None) -> None:
    request = client.get("/sign-in/", headers={"X-Forwarded-For": "198.51.100.7"}).wsgi_request

    with bound_contextvars():
        RequestLogMiddleware.bind_ip(request)

        assert get_contextvars()["ip"] == "127.0.0.1"
