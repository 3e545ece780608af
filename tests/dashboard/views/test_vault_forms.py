"""A secret typed into a form: put into the vault, or refused whole where its key is broken."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Credential, Fact, Turn, User, across_owners
from tests.dashboard.views.test_fact_editing import edit_form
from tests.fixtures import remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db

WIFI = "The wifi password is bluegoose42"
NEW = {"scope": "user", "kind": "fact", "category": "other", "decay_class": "normal"}
Filled = tuple[str, dict[str, object]]


def a_new_memory(_: User) -> Filled:
    return reverse("fact-create"), {**NEW, "importance": "5", "text": WIFI}


def a_changed_memory(user: User) -> Filled:
    fact = remember(user, "The router hums")
    return reverse("fact-edit", args=[fact.pk]), edit_form(fact, text=WIFI)


def a_memory_in_the_admin(user: User) -> Filled:
    fact = remember(user, "The router hums")
    url = reverse("admin:memory_fact_change", args=[fact.pk])
    return url, edit_form(fact, text=WIFI, shelf=fact.shelf)


def a_transcript(_: User) -> Filled:
    return reverse("conversation-create"), {
        "text": f"Mara: {WIFI}",
        "scope": "user",
        "person": "Mara",
        "action": "keep",
    }


FORMS: list[Callable[[User], Filled]] = [
    a_new_memory,
    a_changed_memory,
    a_memory_in_the_admin,
    a_transcript,
]


@pytest.fixture(autouse=True)
def vault(settings: Any) -> None:
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": bytes(range(32)), "old_keys": ()}


@pytest.mark.parametrize("fill", FORMS)
def test_secret_that_was_typed_goes_into_the_vault_and_the_page_says_so(
    client: Client, staff: User, fill: Callable[[User], Filled]
) -> None:
    client.force_login(staff)

    response = client.post(*fill(staff), follow=True)

    assert response.status_code == 200
    assert "into the vault: wifi" in text_of(response)
    assert "bluegoose42" not in response.content.decode()
    with across_owners():
        assert Credential.objects.count() == 1


@pytest.mark.parametrize("fill", FORMS)
def test_secret_is_refused_with_its_form_where_the_key_is_broken(
    client: Client, staff: User, settings: Any, fill: Callable[[User], Filled]
) -> None:
    client.force_login(staff)
    settings.LONGHAND_CIPHER_OPTIONS = {"key": b"short"}
    url, typed = fill(staff)

    response = client.post(url, typed)

    assert response.status_code in {200, 400}
    page = text_of(response)
    assert "LONGHAND_VAULT_KEY_FILE" in page
    # To be sent again: it is nowhere else.
    assert "bluegoose42" in response.content.decode()
    with across_owners():
        assert not Turn.objects.exists()
        assert not Fact.objects.filter(text__contains="wifi").exists()
