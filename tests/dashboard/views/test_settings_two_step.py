"""The second step: an app with codes, recovery codes, passkeys."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from memory.models import User
from tests.access.world import signed_in
from tests.pages import text_of
from tests.second_steps import PASSWORD, code_of, recovery_code_of, with_app, with_password

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


def kinds(user: User) -> set[str]:
    return set(Authenticator.objects.filter(user=user).values_list("type", flat=True))


def set_up(page: Client) -> str:
    """Begin to set up an app; the secret that the page shows."""
    assert page.post(reverse("two-step-app")).status_code == 303
    found = re.search(r'id="secret">([A-Z2-7]+)<', text_of(page.get(reverse("two-step-app"))))
    assert found
    return found[1]


def prove(page: Client, user: User) -> None:
    page.post(reverse("confirm"), {"code": recovery_code_of(user)})


def test_app_is_on_once_it_has_shown_a_right_code(page: Client, alice: User) -> None:
    secret = set_up(page)

    wrong = page.post(reverse("two-step-app"), {"code": "000000"})
    after_wrong = kinds(alice)
    right = page.post(reverse("two-step-app"), {"code": code_of(secret)})

    assert (wrong.status_code, after_wrong) == (400, set())
    assert "That code is not right" in text_of(wrong)
    assert ">Code</label>" in text_of(wrong)
    assert "The second step is on." in text_of(page.get(reverse("overview")))
    assert (right.status_code, right["Location"]) == (303, reverse("recovery-codes"))
    assert kinds(alice) == {"totp", "recovery_codes"}


def test_picture_of_the_secret_is_one_that_the_page_may_show(page: Client) -> None:
    secret = set_up(page)
    response = page.get(reverse("two-step-app"))

    assert 'src="data:image/svg+xml;base64,' in text_of(response)
    assert "img-src 'self' data:" in response["Content-Security-Policy"]
    assert "no-store" in response["Cache-Control"]
    assert secret in text_of(response)  # the same when the page is loaded again


def test_app_is_set_up_from_the_settings_only(page: Client) -> None:
    response = page.get(reverse("two-step-app"))

    assert (response.status_code, response["Location"]) == (303, reverse("settings"))


def test_proof_that_was_asked_for_leads_to_the_picture(alice: User) -> None:
    page = signed_in(with_password(alice))

    page.post(reverse("two-step-app"))
    asked = page.get(reverse("two-step-app"))
    proven = page.post(asked["Location"], {"password": PASSWORD})
    shown = page.get(proven["Location"])

    assert asked["Location"].startswith(reverse("confirm"))
    assert proven["Location"] == reverse("two-step-app")
    assert "data:image/svg+xml" in text_of(shown)


def test_code_that_is_sent_too_late_leads_back_to_the_picture(alice: User) -> None:
    page = signed_in(with_password(alice))
    page.post(reverse("two-step-app"))

    late = page.post(reverse("two-step-app"), {"code": "123456"})
    proven = page.post(late["Location"], {"password": PASSWORD})

    assert proven["Location"] == reverse("two-step-app")


def test_proof_for_what_has_no_page_says_to_choose_it_again(page: Client, alice: User) -> None:
    with_app(alice)

    asked = page.post(reverse("recovery-codes-renew"))
    page.post(asked["Location"], {"code": recovery_code_of(alice)})

    assert "choose once more" in text_of(page.get(reverse("settings")))


def test_phone_opens_its_app_with_the_secret(page: Client) -> None:
    secret = set_up(page)

    shown = text_of(page.get(reverse("two-step-app")))

    assert re.search(rf'href="otpauth://totp/[^"]*secret={secret}', shown)


def test_app_that_is_removed_takes_its_recovery_codes_along(page: Client, alice: User) -> None:
    with_app(alice)
    prove(page, alice)

    removed = page.post(reverse("two-step-app-remove"))

    assert kinds(alice) == set()
    assert removed["Location"] == reverse("settings") + "#two-step"
    assert "The app is removed" in text_of(page.get(reverse("settings")))


@pytest.mark.parametrize("name", ["two-step-app-remove", "recovery-codes-renew", "passkey-remove"])
def test_nothing_is_changed_without_proof(page: Client, alice: User, name: str) -> None:
    with_app(alice)
    before = list(Authenticator.objects.order_by("pk").values())

    response = page.post(reverse(name), {"passkey": before[0]["id"]})

    assert response["Location"].startswith(reverse("confirm"))
    assert list(Authenticator.objects.order_by("pk").values()) == before


def test_recovery_codes_are_shown_saved_and_renewed(page: Client, alice: User) -> None:
    with_app(alice)
    prove(page, alice)
    code = recovery_code_of(alice)

    shown = page.get(reverse("recovery-codes"))
    saved = page.get(reverse("recovery-codes-file"))
    page.post(reverse("recovery-codes-renew"))

    assert code in text_of(shown)
    assert text_of(shown).count("<li>") == 9  # one was the proof
    assert code in saved.content.decode()
    assert saved["Content-Disposition"].startswith("attachment")
    assert "no-store" in saved["Cache-Control"]
    assert code not in text_of(page.get(reverse("recovery-codes")))


def test_no_secret_of_the_second_step_is_in_a_log(page: Client, alice: User, caplog: Any) -> None:
    with caplog.at_level("DEBUG"), caplog.at_level("DEBUG", logger="django_structlog"):
        secret = set_up(page)
        code = code_of(secret)
        page.post(reverse("two-step-app"), {"code": code})
        page.get(reverse("recovery-codes"))

    assert caplog.records
    assert secret not in caplog.text
    assert code not in caplog.text
    assert recovery_code_of(alice) not in caplog.text


def test_passkeys_say_where_they_cannot_work(page: Client) -> None:
    there = page.get(reverse("settings"), headers={"host": "127.0.0.1:7700"})
    here = page.get(reverse("settings"), headers={"host": "localhost:7700"})

    assert "Passkeys need https" in text_of(there)
    assert "open Longhand at http://localhost:7700." in text_of(there)
    assert "Add a passkey" not in text_of(there)
    assert "Add a passkey" in text_of(here)


def test_passkey_is_called_as_the_sessions_call_this_browser(page: Client) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"

    shown = text_of(
        page.get("/settings/passkeys/new/", headers={"user-agent": agent, "host": "localhost"})
    )

    assert 'value="Chrome on Linux"' in shown


@pytest.mark.parametrize("credential", ["", "{}", "[]", '{"response": {}}', "null"])
def test_passkey_that_no_browser_made_is_refused(
    page: Client, alice: User, credential: str
) -> None:
    page.post(reverse("passkey-new-options"))

    response = page.post(reverse("passkey-create"), {"credential": credential})

    assert response.status_code == 400
    assert kinds(alice) == set()


def test_second_step_made_under_another_secret_key_can_be_set_up_anew(
    page: Client, alice: User, settings: Any
) -> None:
    with_app(alice)
    prove(page, alice)
    session = dict(page.session)
    settings.SECRET_KEY = "the key of the host that this was restored on"
    page = signed_in(alice)
    store = page.session
    store.update({name: each for name, each in session.items() if not name.startswith("_auth")})
    store.save()

    shown, codes = page.get(reverse("settings")), page.get(reverse("recovery-codes"))
    saved = page.get(reverse("recovery-codes-file"))
    removed = page.post(reverse("two-step-app-remove"))

    assert [each.status_code for each in (shown, codes, saved)] == [200, 200, 200]
    assert "another secret key" in text_of(shown)
    assert "another secret key" in text_of(codes)
    assert removed["Location"] == reverse("settings") + "#two-step"
    assert kinds(alice) == set()


def test_proof_by_a_code_made_under_another_secret_key_is_refused_in_words(
    page: Client, alice: User, settings: Any
) -> None:
    secret = with_app(alice)
    settings.SECRET_KEY = "the key of the host that this was restored on"
    page = signed_in(alice)

    response = page.post(reverse("confirm"), {"code": code_of(secret)})

    assert response.status_code == 400
    assert "another secret key" in text_of(response)
