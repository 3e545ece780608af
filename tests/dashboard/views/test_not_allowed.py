"""Addresses that take only what a form sends, opened as if they were pages."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import User
from tests.access.matrix import ROWS
from tests.access.row import Row
from tests.access.world import signed_in
from tests.pages import part_of, text_of

pytestmark = pytest.mark.django_db

READ = {row.name for row in ROWS if row.method == "get"}
SENT = {row.name: row for row in ROWS if row.method == "post" and row.name not in READ}
FOR_ANYBODY = ("sign-out", "passkey-sign-in", "passkey-options")
API = [row for row in ROWS if row.is_api]


def path_of(row: Row) -> str:
    return reverse(row.name, args=[uuid4()] if row.target else row.words)


PAGES = {name: path_of(row) for name, row in SENT.items() if not row.is_api}
PAGES |= {name: reverse(name) for name in FOR_ANYBODY}


@pytest.fixture
def page(staff: User) -> Client:
    User.objects.filter(pk=staff.pk).update(is_superuser=True)
    return signed_in(staff)


def told_at(page: Client, path: str) -> dict[str, Any]:
    """What is told of an address that is no page, and where it leads."""
    response = page.get(path)
    shown = text_of(response)
    return {
        "status": response.status_code,
        "allows POST": "POST" in response.get("Allow", ""),
        "is a page": response["Content-Type"].startswith("text/html"),
        "says so": "There is no page at this address" in shown,
        "link": part_of(shown, 'btn-primary" href="', '"'),
    }


def test_address_of_a_form_opened_as_a_page_says_so_and_leads_to_a_page(page: Client) -> None:
    told = {name: told_at(page, path) for name, path in PAGES.items()}

    right = {"status": 405, "allows POST": True, "is a page": True, "says so": True}
    assert {
        name: each for name, each in told.items() if each != right | {"link": each["link"]}
    } == {}
    assert [name for name, each in told.items() if not each["link"]] == []
    # Many lead to the same page, which is opened once.
    opened = {link: page.get(link).status_code for link in {each["link"] for each in told.values()}}
    allowed = {200, 302, 303, 404}  # 404 for an id that is made up
    assert {link: status for link, status in opened.items() if status not in allowed} == {}


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("/settings/tokens/new/", "/settings/tokens/"),
        ("/memories/bulk/", "/memories/"),
        ("/memories/bulk/x/undo/", "/memories/"),
        ("/jobs/count-scopes/run/", "/jobs/"),
        ("/sign-out/", "/"),
        ("/counts/", "/"),
    ],
)
def test_page_that_is_offered_is_the_nearest(page: Client, path: str, link: str) -> None:
    assert f'btn-primary" href="{link}"' in text_of(page.get(path))


@pytest.mark.parametrize("path", ["/", "/memories/", "/check/", "/settings/tokens/"])
def test_page_that_takes_no_form_says_so_too(page: Client, path: str) -> None:
    response = page.post(path)

    assert response.status_code == 405
    assert "<h1>" in text_of(response)


def test_api_keeps_problem_json_for_a_method_it_does_not_take(page: Client) -> None:
    paths = {row.name: path_of(row) for row in API}
    answers = {name: page.generic("TRACE", path) for name, path in paths.items()}

    told = {name: (each.status_code, each["Content-Type"]) for name, each in answers.items()}
    assert told == dict.fromkeys(paths, (405, "application/problem+json"))


def test_address_is_never_repeated_as_markup(page: Client) -> None:
    response = page.get("/memories/bulk/%22%3E%3Cscript%3E/undo/")

    assert response.status_code == 405
    assert "There is no page at this address" in text_of(response)
    assert "<script>" not in text_of(response)
