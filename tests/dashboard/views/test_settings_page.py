"""A person's own settings: profile, password, sessions, and proof that it is still them."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.models import ApiToken, User
from memory.services.accounts import create_token
from tests.access.world import signed_in
from tests.pages import text_of
from tests.second_steps import PASSWORD, code_of, with_app, with_password

pytestmark = pytest.mark.django_db

OTHER = "quite another phrase"


@pytest.fixture
def page(alice: User) -> Client:
    """Alice signed in, by no method that proves anything later."""
    return signed_in(alice)


def browser_of(user: User, password: str = PASSWORD) -> Client:
    client = Client()
    form = {"username": user.email, "password": password}
    assert client.post(reverse("sign-in"), form).status_code == 303
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("agent-create")).status_code == 200


def test_profile_is_saved_and_pages_follow_its_time_zone(page: Client, alice: User) -> None:
    form = {"name": "  Alice  Adair ", "time_zone": "Asia/Tokyo"}

    response = page.post(reverse("settings"), form)

    alice.refresh_from_db()
    assert response.status_code == 303
    assert (alice.name, alice.time_zone) == ("Alice Adair", "Asia/Tokyo")
    assert 'value="Asia/Tokyo"' in text_of(page.get(reverse("settings")))


def test_time_zone_that_is_none_is_refused_at_its_field(page: Client, alice: User) -> None:
    response = page.post(reverse("settings"), {"name": "A", "time_zone": "Mars/Base"})

    alice.refresh_from_db()
    assert response.status_code == 400
    assert "is no time zone" in text_of(response)
    assert (alice.name, alice.time_zone) == ("", "UTC")


def test_first_password_is_set_without_another_and_opens_the_account(
    page: Client, alice: User
) -> None:
    form = {"new_password1": PASSWORD, "new_password2": PASSWORD}

    response = page.post(reverse("settings-password"), form)

    assert response["Location"] == reverse("settings")
    assert is_in(page)
    assert is_in(browser_of(alice))


def test_first_password_takes_a_proof_from_somebody_with_a_second_step(alice: User) -> None:
    secret = with_app(alice)
    page = signed_in(alice)
    form = {"new_password1": PASSWORD, "new_password2": PASSWORD}

    before = page.post(reverse("settings-password"), form)
    alice.refresh_from_db()
    is_set_without = alice.has_usable_password()
    confirm(page, code=code_of(secret))
    after = page.post(reverse("settings-password"), form)

    assert before["Location"].startswith(reverse("confirm"))
    assert not is_set_without
    assert after["Location"] == reverse("settings")


@pytest.mark.parametrize(
    "password", ["short", "1234567890123", "password1234", "alice@example.org"]
)
def test_password_that_is_easily_guessed_is_refused(page: Client, password: str) -> None:
    form = {"new_password1": password, "new_password2": password}

    response = page.post(reverse("settings-password"), form)

    assert response.status_code == 400
    assert list(response.context["form"].errors) == ["new_password1"]


def test_other_password_needs_the_old_one(alice: User) -> None:
    page = browser_of(with_password(alice))
    new = {"new_password1": OTHER, "new_password2": OTHER}

    answers = [
        page.post(reverse("settings-password"), {**new, "old_password": old}).status_code
        for old in ("", "wrong", PASSWORD)
    ]

    assert answers == [400, 400, 303]
    assert is_in(browser_of(alice, OTHER))


def test_other_password_ends_all_other_sessions_and_no_token(alice: User) -> None:
    here, there = browser_of(with_password(alice)), browser_of(alice)
    create_token(alice)
    new = {"old_password": PASSWORD, "new_password1": OTHER, "new_password2": OTHER}

    here.post(reverse("settings-password"), new)

    assert (is_in(here), is_in(there)) == (True, False)
    assert UserSession.objects.get().session_key == here.session.session_key
    assert ApiToken.objects.usable().count() == 1


def test_password_is_not_guessed_from_a_session_that_was_left_open(alice: User) -> None:
    page = browser_of(with_password(alice))
    new = {"new_password1": OTHER, "new_password2": OTHER}
    for _ in range(10):
        page.post(reverse("settings-password"), {**new, "old_password": "wrong"})

    response = page.post(reverse("settings-password"), {**new, "old_password": PASSWORD})

    assert response.status_code == 429
    assert "Wait five minutes" in text_of(response)


def test_sessions_are_listed_with_this_one_first(alice: User, bob: User) -> None:
    browser_of(with_password(bob))
    there, here = browser_of(with_password(alice)), browser_of(alice)

    lines = here.get(reverse("settings")).context["sessions"]

    assert [line.is_this for line in lines] == [True, False]
    assert there.session.session_key != here.session.session_key


def test_session_that_is_ended_is_out_at_once(alice: User) -> None:
    here, there = browser_of(with_password(alice)), browser_of(alice)
    other = UserSession.objects.get(session_key=there.session.session_key)

    response = here.post(reverse("session-end"), {"session": other.pk})

    assert response.status_code == 303
    assert "The session has ended." in text_of(here.get(reverse("settings")))
    assert (is_in(here), is_in(there)) == (True, False)


@pytest.mark.parametrize("given", ["", "x", "-1", "9" * 40])
def test_session_that_is_none_is_left_alone(page: Client, given: str) -> None:
    assert page.post(reverse("session-end"), {"session": given}).status_code == 303


def test_session_of_somebody_else_is_left_alone(alice: User, bob: User) -> None:
    theirs, mine = browser_of(with_password(alice)), browser_of(with_password(bob))
    row = UserSession.objects.get(session_key=theirs.session.session_key)

    mine.post(reverse("session-end"), {"session": row.pk})

    assert is_in(theirs)


def test_all_other_sessions_end_at_once_listed_or_not(alice: User, bob: User) -> None:
    here, there = browser_of(with_password(alice)), browser_of(alice)
    unlisted, theirs = signed_in(alice), signed_in(bob)

    here.post(reverse("session-end-others"))

    assert [is_in(each) for each in (here, there, unlisted, theirs)] == [True, False, False, True]


def test_session_past_its_end_is_listed_no_more(alice: User) -> None:
    there, here = browser_of(with_password(alice)), browser_of(alice)
    Session.objects.filter(pk=there.session.session_key).update(expire_date=timezone.now())

    assert len(here.get(reverse("settings")).context["sessions"]) == 1


def confirm(client: Client, **form: Any) -> Any:
    return client.post(reverse("confirm"), {"next": reverse("recovery-codes"), **form})


def test_proof_is_asked_for_some_minutes_after_signing_in(alice: User) -> None:
    with_app(with_password(alice))
    page = signed_in(alice)

    response = page.get(reverse("recovery-codes"))

    assert response.status_code == 303
    assert response["Location"] == f"{reverse('confirm')}?next=%2Fsettings%2Fcodes%2F"


def test_proof_is_not_asked_for_right_after_signing_in(client: Client, alice: User) -> None:
    secret = with_app(with_password(alice))
    client.post(reverse("sign-in"), {"username": alice.email, "password": PASSWORD})
    client.post(reverse("second-step"), {"code": code_of(secret)})

    now = client.get(reverse("recovery-codes"))
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        later = client.get(reverse("recovery-codes"))

    assert (now.status_code, later.status_code) == (200, 303)


def test_password_is_a_proof_that_holds_for_five_minutes(alice: User) -> None:
    with_app(with_password(alice))
    page = signed_in(alice)

    wrong, right = confirm(page, password="wrong"), confirm(page, password=PASSWORD)
    now = page.get(reverse("recovery-codes"))
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        later = page.get(reverse("recovery-codes"))

    assert wrong.status_code == 400
    assert (right.status_code, right["Location"]) == (303, reverse("recovery-codes"))
    assert (now.status_code, later.status_code) == (200, 303)


def test_code_is_a_proof_for_somebody_without_a_password(alice: User) -> None:
    secret = with_app(alice)
    page = signed_in(alice)

    assert "Code" in text_of(page.get(reverse("confirm")))
    assert confirm(page, code="000000").status_code == 400
    assert confirm(page, code=code_of(secret)).status_code == 303
    assert page.get(reverse("recovery-codes")).status_code == 200


def test_proof_makes_whoever_guesses_wait(alice: User) -> None:
    with_app(with_password(alice))
    page = signed_in(alice)
    for _ in range(10):
        confirm(page, code="000000")

    assert confirm(page, password=PASSWORD).status_code == 429
    assert page.get(reverse("recovery-codes")).status_code == 303
