"""The field of the documents page that takes a web address."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from memory.models import Principal, User, acting_as
from tests.fixtures import agent_of
from tests.pages import text_of
from tests.web_server import Web, reply

NOTE = b"The greenhouse key hangs behind the door."


@pytest.fixture
def page(client: Client, alice: User, web: Web) -> Client:
    client.force_login(alice)
    web.outside.replies["/key.txt"] = reply(NOTE)
    return client


def fetch(page: Client, address: str, scope: str = "user", **extra: Any) -> str:
    """What the page says after the address was sent."""
    form = {"url": address, "scope": scope}
    response = page.post(reverse("document-fetch"), form, follow=True, **extra)
    assert response.status_code == 200
    return text_of(response)


def documents_of(user: User) -> list[Document]:
    with acting_as(Principal(user)):
        return list(Document.objects.select_related("scope"))


def test_documents_page_has_a_field_for_a_web_address(page: Client) -> None:
    shown = page.get(reverse("document-list")).content.decode()

    assert 'type="url"' in shown
    assert "From a web address" in shown


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_file_at_an_address_is_stored_and_said_to_be(
    page: Client, alice: User, web: Web, headers: dict[str, str]
) -> None:
    shown = fetch(page, web.address("/key.txt"), headers=headers)

    (document,) = documents_of(alice)
    assert (document.name, document.scope.user_id) == ("key.txt", alice.pk)
    assert "“key.txt” is stored and waits to be read." in shown
    assert ("<html" in shown) == (not headers)


def test_what_is_stored_already_is_said_to_be(page: Client, web: Web) -> None:
    fetch(page, web.address("/key.txt"))

    assert "“key.txt” is already stored." in fetch(page, web.address("/key.txt"))


def test_file_is_read_by_whom_it_is_meant_for(page: Client, alice: User, web: Web) -> None:
    agent = agent_of(alice, "quill")

    fetch(page, web.address("/key.txt"), "agent:quill")

    assert documents_of(alice)[0].scope.agent_id == agent.pk


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "No address was given"),
        ("http://127.0.0.1:7700/", "Address not allowed"),
        ("http://example.org/" + "a" * 2_000, "2000 characters"),
    ],
)
def test_address_that_is_not_read_is_said_and_nothing_is_stored(
    page: Client, alice: User, address: str, said: str
) -> None:
    assert said in fetch(page, address)
    assert documents_of(alice) == []


@pytest.mark.parametrize("scope", ["global", "agent:nobody", ""])
def test_scope_that_is_not_ones_own_is_refused(
    page: Client, alice: User, web: Web, scope: str
) -> None:
    fetch(page, web.address("/key.txt"), scope)

    assert documents_of(alice) == []
    assert web.outside.connections == 0
