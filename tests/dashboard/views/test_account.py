"""Signing in and out."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from memory.models import SignInLink, User
from memory.services.accounts import make_sign_in_link
from tests.pages import text_of

pytestmark = pytest.mark.django_db

PASSWORD = "a long enough phrase"


def path_of(link: str) -> str:
    return re.sub(r"^https?://[^/]+", "", link)


@pytest.fixture
def strict() -> Client:
    """A browser whose forms need their CSRF token."""
    return Client(enforce_csrf_checks=True)


def test_sign_in_opens_the_account_and_the_page_that_was_wanted(
    client: Client, alice: User
) -> None:
    alice.set_password(PASSWORD)
    alice.save()
    form = {"username": "Alice@Example.org", "password": PASSWORD, "next": "/documents/"}

    response = client.post(reverse("sign-in"), form)

    assert response.status_code == 303
    assert response["Location"] == "/documents/"
    assert client.get(reverse("overview")).status_code == 200


def test_sign_in_never_leaves_for_another_host(client: Client, alice: User) -> None:
    client.force_login(alice)

    response = client.get(reverse("sign-in"), {"next": "https://evil.example/"})

    assert response["Location"] == reverse("overview")


def test_sign_in_says_the_same_for_a_wrong_password_and_an_unknown_address(
    client: Client, alice: User
) -> None:
    answers = [
        client.post(reverse("sign-in"), {"username": address, "password": "wrong"})
        for address in ("alice@example.org", "nobody@example.org")
    ]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert all("No account opens with this address" in text_of(answer) for answer in answers)


def test_sign_in_asks_the_database_nothing(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        response = client.get(reverse("sign-in"))

    assert response.status_code == 200


def test_sign_in_link_is_not_used_up_by_looking(client: Client, alice: User) -> None:
    path = path_of(make_sign_in_link(alice))

    response = client.get(path)

    assert '<button class="btn btn-primary" type="submit">Sign in</button>' in text_of(response)
    assert response["Referrer-Policy"] == "strict-origin"
    assert SignInLink.objects.get().used_at is None


def test_sign_in_link_opens_the_account_once(client: Client, alice: User) -> None:
    path = path_of(make_sign_in_link(alice))

    first = client.post(path)
    client.logout()
    second = client.post(path)

    assert (first.status_code, first["Location"]) == (303, "/")
    assert first["Referrer-Policy"] == "strict-origin"
    assert second.status_code == 410
    assert "no longer works" in text_of(second)
    assert client.get(reverse("overview")).status_code == 302


def test_sign_in_link_is_gone_after_thirty_minutes(client: Client, alice: User) -> None:
    path = path_of(make_sign_in_link(alice))

    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        assert client.get(path).status_code == 410
        assert client.post(path).status_code == 410


def test_sign_in_link_needs_its_own_form(strict: Client, alice: User) -> None:
    path = path_of(make_sign_in_link(alice))

    response = strict.post(path)

    assert response.status_code == 403
    assert "reload and send it again" in text_of(response)
    assert SignInLink.objects.get().used_at is None


def test_sign_out_ends_the_session(client: Client, alice: User) -> None:
    client.force_login(alice)

    response = client.post(reverse("sign-out"))

    assert response["Location"] == reverse("sign-in")
    assert client.get(reverse("overview")).status_code == 302


def test_sign_out_refuses_get(client: Client, alice: User) -> None:
    client.force_login(alice)

    assert client.get(reverse("sign-out")).status_code == 405


def test_sign_in_makes_whoever_guesses_wait(client: Client, alice: User) -> None:
    form = {"username": "alice@example.org", "password": "wrong"}
    for _ in range(10):
        client.post(reverse("sign-in"), form)
    alice.set_password(PASSWORD)
    alice.save()

    response = client.post(reverse("sign-in"), {**form, "password": PASSWORD})
    elsewhere = client.post(
        reverse("sign-in"), {**form, "password": PASSWORD}, REMOTE_ADDR="192.0.2.7"
    )

    assert response.status_code == 429
    assert 1 <= int(response["Retry-After"]) <= 300
    assert "Wait 5 min" in text_of(response)
    assert elsewhere.status_code == 303


def test_sign_in_shows_the_password_to_no_error_report(client: Client, caplog: Any) -> None:
    with caplog.at_level("DEBUG"):
        client.post(reverse("sign-in"), {"username": "alice@example.org", "password": PASSWORD})

    assert caplog.records
    assert PASSWORD not in caplog.text


def test_sign_in_page_offers_a_passkey_only_where_one_works(client: Client) -> None:
    offered = {
        host: "Use a passkey" in text_of(client.get(reverse("sign-in"), headers={"host": host}))
        for host in ("localhost:7700", "127.0.0.1:7700")
    }
    secure = client.get(reverse("sign-in"), secure=True)

    assert offered == {"localhost:7700": True, "127.0.0.1:7700": False}
    assert "Use a passkey" in text_of(secure)


@pytest.fixture
def mailing(settings: Any) -> None:
    settings.LONGHAND_HAS_MAIL = True


def test_cursor_stands_in_the_password_after_a_wrong_one(client: Client, alice: User) -> None:
    fresh = text_of(client.get(reverse("sign-in")))
    again = text_of(
        client.post(reverse("sign-in"), {"username": alice.email, "password": "no such word"})
    )

    assert focused(fresh) == "username"
    assert focused(again) == "password"


def focused(shown: str) -> str:
    (field,) = re.findall(r"<input[^>]*\sautofocus[^>]*>", shown)
    return re.findall(r'name="(\w+)"', field)[0]


@pytest.mark.parametrize("has_mail", [True, False])
def test_sign_in_page_leads_whoever_has_no_password_to_a_link(
    client: Client, settings: Any, has_mail: bool
) -> None:
    settings.LONGHAND_HAS_MAIL = has_mail

    shown = text_of(client.get(reverse("sign-in")))

    words = shown.partition("No password yet?")[2].partition("</p>")[0]
    assert f'href="{reverse("link-request")}"' in words


def test_forgotten_password_says_whom_to_ask_where_no_mail_is_set_up(client: Client) -> None:
    response = client.get(reverse("link-request"))

    assert "manage.py sign_in_link" in text_of(response)
    assert "LONGHAND_EMAIL_URL" in text_of(response)
    assert client.post(reverse("link-request"), {"email": "a@example.org"}).status_code == 200
    assert OrmQ.objects.count() == 0


def test_link_request_answers_the_same_for_any_address_and_rings_as_often(
    client: Client, alice: User, mailing: None
) -> None:
    known = client.post(reverse("link-request"), {"email": " Alice@example.org "})
    rung = OrmQ.objects.count()
    unknown = client.post(reverse("link-request"), {"email": "nobody@example.org"})

    assert (known.status_code, unknown.status_code) == (200, 200)
    assert text_of(known).replace("alice", "nobody") == text_of(unknown)
    assert (rung, OrmQ.objects.count()) == (1, 2)


def test_link_request_makes_whoever_asks_too_often_wait(client: Client, mailing: None) -> None:
    answers = [
        client.post(reverse("link-request"), {"email": "nobody@example.org"}) for _ in range(6)
    ]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert OrmQ.objects.count() == 5
