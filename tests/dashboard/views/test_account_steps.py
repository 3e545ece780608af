"""The second step of signing in."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from memory.models import User
from memory.services.accounts import make_sign_in_link
from tests.access.world import signed_in
from tests.cases.handed import at_once
from tests.dashboard.views.test_account import path_of
from tests.pages import text_of
from tests.second_steps import (
    PASSWORD,
    code_of,
    recovery_code_of,
    unsealed,
    with_app,
    with_password,
)

pytestmark = pytest.mark.django_db

STEP = "/sign-in/second-step/"

JUNK = [
    "", "{}", "[]", "null", '"x"', "7", '{"response": []}', '{"id": "x", "rawId": "x"}',
    '{"id": 1}', "[" * 100_000, '{"id": "a", "rawId": "a", "response": {}}',
    '{"id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "AA", "attestationObject": "oA"}}',
]  # fmt: skip


@pytest.fixture
def secret(alice: User) -> str:
    """What alice's phone keeps."""
    return with_app(with_password(alice))


@pytest.fixture
def uncounted() -> Iterator[None]:
    """No sign-in was counted before, and none is after, where no transaction takes it back."""
    caches["counters"].clear()
    yield
    caches["counters"].clear()


def pass_the_first(client: Client, user: User, **form: str) -> Any:
    form = {"username": user.email, "password": PASSWORD, **form}
    return client.post(reverse("sign-in"), form)


def is_in(client: Client) -> bool:
    return client.get(reverse("token-list")).status_code == 200


def test_password_alone_opens_nothing_for_somebody_with_a_second_step(
    client: Client, alice: User, secret: str
) -> None:
    response = pass_the_first(client, alice)

    assert (response.status_code, response["Location"]) == (303, reverse("second-step"))
    assert not is_in(client)


def test_code_of_the_app_opens_the_account_and_the_page_that_was_wanted(
    client: Client, alice: User, secret: str
) -> None:
    pass_the_first(client, alice, next="/documents/")

    response = client.post(reverse("second-step"), {"code": code_of(secret)})

    assert (response.status_code, response["Location"]) == (303, "/documents/")
    assert is_in(client)


def test_code_opens_once(client: Client, alice: User, secret: str) -> None:
    code = code_of(secret)
    pass_the_first(client, alice)
    client.post(reverse("second-step"), {"code": code})
    client.post(reverse("sign-out"))
    pass_the_first(client, alice)

    response = client.post(reverse("second-step"), {"code": code})

    assert response.status_code == 400
    assert "used already" in text_of(response)
    assert not is_in(client)


def test_recovery_code_opens_once(client: Client, alice: User, secret: str) -> None:
    code = recovery_code_of(alice)
    answers = []
    for _ in range(2):
        pass_the_first(client, alice)
        answers.append(client.post(reverse("second-step"), {"code": code}).status_code)
        client.post(reverse("sign-out"))

    assert answers == [303, 400]


def test_sign_in_link_leads_to_the_second_step_too(
    client: Client, alice: User, secret: str
) -> None:
    response = client.post(path_of(make_sign_in_link(alice)))

    assert response["Location"] == reverse("second-step")
    assert not is_in(client)


def test_second_step_shows_nothing_to_somebody_who_passed_no_first(client: Client) -> None:
    for response in (
        client.get(reverse("second-step")),
        client.post(reverse("second-step"), {"code": "123456"}),
    ):
        assert (response.status_code, response["Location"]) == (303, reverse("sign-in"))


def test_second_step_ends_for_an_account_that_is_closed_meanwhile(
    client: Client, alice: User, secret: str
) -> None:
    pass_the_first(client, alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)

    response = client.post(reverse("second-step"), {"code": code_of(secret)})

    assert response["Location"] == reverse("sign-in")


def test_second_step_makes_whoever_guesses_wait(client: Client, alice: User, secret: str) -> None:
    pass_the_first(client, alice)
    for _ in range(10):
        client.post(reverse("second-step"), {"code": "000000"})

    response = client.post(reverse("second-step"), {"code": code_of(secret)})

    assert response.status_code == 429
    assert 1 <= int(response["Retry-After"]) <= 300
    assert "Wait five minutes" in text_of(response)
    assert not is_in(client)


@pytest.mark.parametrize("credential", JUNK)
def test_passkey_that_is_none_is_refused_at_both_steps(
    client: Client, alice: User, secret: str, credential: str
) -> None:
    client.post(reverse("passkey-options"))
    alone = client.post(reverse("passkey-sign-in"), {"credential": credential})
    pass_the_first(client, alice)
    client.post(reverse("passkey-options"))
    second = client.post(reverse("second-step"), {"credential": credential})

    assert (alone.status_code, second.status_code) == (400, 400)
    assert "No account opens with this passkey" in text_of(alone)
    assert not is_in(client)


@pytest.mark.parametrize("credential", JUNK)
def test_passkey_that_is_none_is_no_proof_and_is_not_kept(
    alice: User, secret: str, credential: str
) -> None:
    page = signed_in(alice)
    page.post(reverse("passkey-options"))
    proof = page.post(reverse("confirm"), {"credential": credential})
    page.post(reverse("confirm"), {"password": PASSWORD})
    page.post(reverse("passkey-new-options"))
    made = page.post(reverse("passkey-create"), {"credential": credential})

    assert (proof.status_code, made.status_code) == (400, 400)
    assert not Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).exists()


def test_link_of_somebody_else_ends_the_session_that_is_open(
    client: Client, alice: User, bob: User
) -> None:
    with_app(alice)
    client.force_login(bob)

    response = client.post(path_of(make_sign_in_link(alice)))

    assert response["Location"] == reverse("second-step")
    assert client.get(reverse("second-step")).status_code == 200
    assert not is_in(client)


def test_options_for_a_passkey_name_this_host_and_no_account(client: Client, alice: User) -> None:
    response = client.post(reverse("passkey-options"))

    options = json.loads(response.content)["publicKey"]
    assert options["rpId"] == "testserver"
    assert options.get("allowCredentials", []) == []
    assert options["userVerification"] == "required"


def test_recovery_codes_alone_are_no_second_step(client: Client, alice: User, secret: str) -> None:
    Authenticator.objects.filter(type="totp").delete()

    response = pass_the_first(client, alice)

    assert response["Location"] == reverse("overview")


def test_code_and_recovery_code_of_an_earlier_version_still_open(
    client: Client, alice: User, secret: str
) -> None:
    unsealed(alice)
    answers = []
    for code in (code_of(secret), recovery_code_of(alice)):
        pass_the_first(client, alice)
        answers.append(client.post(reverse("second-step"), {"code": code}).status_code)
        client.post(reverse("sign-out"))

    assert answers == [303, 303]


@pytest.mark.parametrize("kind", ["code", "recovery code"])
def test_second_step_made_under_another_secret_key_says_so_and_what_to_do(
    client: Client, alice: User, secret: str, settings: Any, kind: str
) -> None:
    code = code_of(secret) if kind == "code" else recovery_code_of(alice)
    settings.SECRET_KEY = "the key of the host that this was restored on"
    pass_the_first(client, alice)

    shown = client.get(reverse("second-step"))
    tried = client.post(reverse("second-step"), {"code": code})

    assert (shown.status_code, tried.status_code) == (200, 400)
    for response in (shown, tried):
        assert "another secret key" in text_of(response)
        assert "reset_second_step" in text_of(response)
    assert not is_in(client)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["code", "recovery code"])
def test_code_opens_one_of_the_sign_ins_that_send_it_at_once(
    uncounted: None, alice: User, secret: str, kind: str
) -> None:
    code = code_of(secret) if kind == "code" else recovery_code_of(alice)
    browsers = [Client() for _ in range(4)]
    for browser in browsers:
        pass_the_first(browser, alice)

    answers = at_once(4, lambda place: browsers[place].post(STEP, {"code": code}).status_code)

    assert sorted(answers) == [303, 400, 400, 400]


@pytest.mark.django_db(transaction=True)
def test_different_recovery_codes_sent_at_once_are_all_used_up(
    uncounted: None, alice: User, secret: str
) -> None:
    recovery = Authenticator.objects.get(user=alice, type="recovery_codes")
    codes = recovery.wrap().get_unused_codes()[:4]
    browsers = [Client() for _ in codes]
    for browser in browsers:
        pass_the_first(browser, alice)

    answers = at_once(
        4, lambda place: browsers[place].post(STEP, {"code": codes[place]}).status_code
    )

    recovery.refresh_from_db()
    assert answers == [303] * 4
    assert set(codes).isdisjoint(recovery.wrap().get_unused_codes())
