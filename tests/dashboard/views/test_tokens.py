"""A person's API tokens: made, seen, used, revoked."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.models import ApiToken, User
from memory.services.accounts import create_token
from tests.access.world import signed_in
from tests.fixtures import Api
from tests.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


def secret_in(response: Any) -> str:
    found = re.search(r'id="token">(lh_[\w-]+)<', text_of(response))
    assert found
    return found[1]


def test_token_is_shown_once_and_opens_the_api(page: Client) -> None:
    response = page.post(reverse("token-create"), {"name": "laptop"})

    secret = secret_in(response)
    assert response.status_code == 201
    assert "no-store" in response["Cache-Control"]
    assert Api(secret)("get", "stats").status_code == 200
    again = text_of(page.get(reverse("token-list")))
    assert secret not in again
    assert "laptop" in again


def test_token_is_listed_with_its_last_use_and_to_its_owner_only(
    page: Client, alice: User, bob: User
) -> None:
    Api(create_token(alice, name="used"))("get", "stats")
    create_token(alice, agent="quill", name="waiting")

    shown = text_of(page.get(reverse("token-list")))

    assert shown.count("last used") == 1
    assert shown.count("not used yet") == 1
    assert "agent quill" in shown
    assert "waiting" not in text_of(signed_in(bob).get(reverse("token-list")))


def test_token_that_is_revoked_opens_nothing_from_its_next_use_on(
    page: Client, alice: User
) -> None:
    api = Api(create_token(alice))
    assert api("get", "stats").status_code == 200

    response = page.post(reverse("token-revoke", args=[ApiToken.objects.get().pk]))

    assert response.status_code == 303
    assert api("get", "stats").status_code == 401
    assert ApiToken.objects.get().revoked_at is not None


def test_token_with_a_name_that_is_too_long_is_refused(page: Client) -> None:
    response = page.post(reverse("token-create"), {"name": "n" * 121})

    assert response.status_code == 400
    assert ApiToken.objects.count() == 0


def test_token_list_costs_as_many_queries_for_many(page: Client, alice: User) -> None:
    create_token(alice)
    page.get(reverse("token-list"))  # its first answer makes what is made once
    with CaptureQueriesContext(connection) as few:
        page.get(reverse("token-list"))
    for number in range(5):
        create_token(alice, agent=f"agent {number}")

    with CaptureQueriesContext(connection) as many:
        page.get(reverse("token-list"))

    assert len(many) == len(few)


def test_no_secret_of_a_token_is_in_a_log(page: Client, caplog: Any) -> None:
    with caplog.at_level("DEBUG"):
        secret = secret_in(page.post(reverse("token-create"), {"name": "laptop"}))
        Api(secret)("get", "stats")
        Api(secret + "x")("get", "stats")

    assert caplog.records
    assert secret not in caplog.text
