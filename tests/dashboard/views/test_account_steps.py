"""The second step of signing in."""

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from memory.models import User
from memory.services.accounts import make_sign_in_link
from tests.access.world import signed_in
from tests.dashboard.views.test_account import path_of, text_of
from tests.second_steps import PASSWORD, code_of, recovery_code_of, with_app, with_password

pytestmark = pytest.mark.django_db

JUNK = [
    "", "{}", "[]", "null", '"x"', "7", '{"response": []}', '{"id": "x", "rawId": "x"}',
    '{"id": 1}', "[" * 100_000, '{"id": "a", "rawId": "a", "response": {}}',
    '{"id": "YQ", "rawId": "YQ", "response": {"clientDataJSON": "AA", "attestationObject": "oA"}}',
]  # fmt: skip


@pytest.fixture
def secret(alice: User) -> str:
    """What alice's phone keeps."""
    return with_app(with_password(alice))


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
