"""SEC-05: nothing inside is reached through an address that somebody gives."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from ingest.domain.addresses import Reach
from ingest.tasks import read_next_document
from tests.cases.foreign import needs_cases, read_json
from tests.cases.handed import FOLDER, handed
from tests.fixtures import Api
from tests.web_server import Web, redirect, reply, serving

REFUSED = handed("SEC-05_urls.json")["must_refuse"]


def refusal(api: Api, address: str) -> str:
    """What the API says of an address that it does not read."""
    response = api("post", "documents", {"url": address})
    answer = response.json()
    assert (response.status_code, answer["errors"][0]["field"]) == (400, "url"), answer
    assert api("get", "documents").json()["documents"] == []
    detail: str = answer["detail"]
    return detail


@needs_cases
def test_addresses_here_are_those_that_were_handed() -> None:
    assert json.loads(Path(FOLDER, "SEC-05_urls.json").read_text()) == read_json(
        "handed", "SEC-05_urls.json"
    )


@pytest.mark.parametrize("address", REFUSED)
def test_inside_address_is_refused_and_nothing_is_opened(
    api: Api, web: Web, settings: Any, address: str
) -> None:
    # So that no port is the reason.
    settings.LONGHAND_FETCH_REACH = Reach(ports=frozenset(range(1, 65536)))

    assert refusal(api, address).startswith("Address not allowed: ")
    assert web.inside.connections == web.outside.connections == 0


@pytest.mark.parametrize(
    "address",
    [each for each in REFUSED if any(own in each for own in ("127.", "localhost", "0.0", "[::f"))],
)
def test_inside_address_is_refused_on_a_port_that_is_open_and_allowed(
    api: Api, web: Web, address: str
) -> None:
    scheme, host = address.split("/")[0], address.split("/")[2].rpartition(":")
    name = host[0] if host[0] and host[2].isdecimal() else "".join(host)

    assert refusal(api, f"{scheme}//{name}:{web.inside.port}/").startswith("Address not allowed: ")
    assert web.inside.connections == web.outside.connections == 0


@pytest.mark.parametrize(
    "hops",
    [
        ["http://127.0.0.1:{port}/"],
        ["/second", "http://169.254.169.254/latest/meta-data/"],
        ["/second", "http://127.0.0.1:{port}/"],
        ["file:///etc/passwd"],
    ],
)
def test_redirect_inside_is_refused_at_the_hop(api: Api, web: Web, hops: list[str]) -> None:
    paths = ["/first", "/second"]
    for path, leads_to in zip(paths, hops, strict=False):
        web.outside.replies[path] = redirect(leads_to.format(port=web.inside.port))

    assert refusal(api, web.address("/first")).startswith("Address not allowed: ")
    assert (len(web.outside.heads), web.inside.connections) == (len(hops), 0)


def test_name_that_leads_inside_is_refused(api: Api, web: Web) -> None:
    said = refusal(api, web.address(host="wiki.example"))

    assert said.startswith("Address not allowed: ")
    assert web.inside.connections == 0


def test_name_that_changes_its_answer_is_never_used_unchecked(api: Api, web: Web) -> None:
    web.names["books.example"] = [["127.0.0.2"], ["127.0.0.1"]]
    web.outside.replies["/a.txt"] = reply(b"What is outside.")

    answer = api("post", "documents", {"url": web.address("/a.txt")})

    assert (answer.status_code, answer.json()["size_bytes"]) == (202, 16)
    assert web.inside.connections == 0


def test_refusal_does_not_repeat_what_a_server_said(api: Api, web: Web) -> None:
    web.outside.replies["/a.txt"] = reply(b"root:x:0:0", 500, X_Secret="do not tell")

    said = refusal(api, web.address("/a.txt"))

    assert "500" in said
    assert "root" not in said
    assert "do not" not in said


@pytest.mark.parametrize("name", ["page.html", "page.md", "mail.eml"])
def test_picture_that_a_document_names_is_never_fetched(api: Api, web: Web, name: str) -> None:
    with serving("127.0.0.1") as listener:
        source = f"http://127.0.0.1:{listener.port}"
        page = (
            f'<html><head><base href="{source}/"><link rel="stylesheet" href="{source}/a.css">'
            f'<script src="{source}/a.js"></script></head><body><p>The ferns are watered.</p>'
            f'<img src="{source}/pixel.png"><iframe src="{source}/frame"></iframe>'
            f'<object data="{source}/object"></object></body></html>'
        )
        head = "From: a@b.example\nTo: c@d.example\nSubject: Ferns\nContent-Type: text/html\n\n"
        file = SimpleUploadedFile(name, ((head if name.endswith("eml") else "") + page).encode())
        sent = api.client.post("/api/v1/documents", {"file": file}).json()

        read_next_document()

        document = api("get", f"documents/{sent['id']}").json()
        assert (document["status"], document["reason"]) == ("done", None)
        assert document["chunks"] > 0
        assert listener.connections == 0


def test_page_refuses_an_inside_address_too(client: Any, alice: Any, web: Web) -> None:
    client.force_login(alice)

    response = client.post(
        reverse("document-fetch"),
        {"scope": "user", "url": f"http://127.0.0.1:{web.inside.port}/"},
        follow=True,
    )

    assert "Address not allowed" in response.content.decode()
    assert web.inside.connections == 0
