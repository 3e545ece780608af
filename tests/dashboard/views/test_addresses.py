"""Every parameter of every list, with what nobody types."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from dashboard.filters import FactFilter
from ingest.models import Document
from memory.models import Fact, User
from tests.fixtures import add_document

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
# As they stand in the address: NUL, a lone surrogate, no UTF-8, controls, far too long, too large.
STRANGE = [
    "%00",
    "a%00b",
    "%ED%A0%BD",
    "%FF%FE",
    "%1B%5B2J",
    "%E2%80%AE",
    "%27%22%3C",
    "9" * 5_000,
    "%25s{}",
    "0001-01-01T00:00%2B14:00",
    "9999-12-31T23:59-14:00",
]
FILTERS = [*FactFilter.base_filters, "page", "since"]


@pytest.fixture
def document(alice: User) -> Document:
    """A document of alice's."""
    return add_document(alice, "note.txt")


@pytest.mark.parametrize("name", FILTERS)
def test_memories_survive_every_parameter(
    client: Client, alice: User, fact: Fact, name: str
) -> None:
    client.force_login(alice)
    client.raise_request_exception = False  # its traceback is in the log

    answers = {
        (value, *headers): client.get(
            f"{reverse('fact-list')}?{name}={value}", headers=headers
        ).status_code
        for value in STRANGE
        for headers in ({}, HTMX)
    }

    assert {asked: status for asked, status in answers.items() if status != 200} == {}


@pytest.mark.parametrize("value", STRANGE, ids=range(len(STRANGE)))
def test_other_pages_survive_every_parameter(
    client: Client, alice: User, fact: Fact, document: Document, value: str
) -> None:
    client.force_login(alice)
    undo = reverse("fact-undo", args=[fact.pk])
    edit = reverse("fact-edit", args=[fact.pk])

    for page in (reverse("document-list"), document.get_absolute_url()):
        for headers in ({}, HTMX):
            assert client.get(f"{page}?page={value}", headers=headers).status_code == 200
    for page in (reverse("overview"), reverse("recall"), fact.get_absolute_url(), edit):
        assert client.get(f"{page}?page={value}&next={value}").status_code == 200
    assert client.post(f"{undo}?state={value}&next={value}").status_code == 303
    client.logout()
    assert client.get(f"{reverse('sign-in')}?next={value}").status_code == 200


def test_a_tag_is_found_by_what_is_stored_of_it(client: Client, alice: User, fact: Any) -> None:
    client.force_login(alice)

    response = client.get(f"{reverse('fact-list')}?q=Ines%00%20Okafor")

    assert f"fact-{fact.pk}" in response.content.decode()
