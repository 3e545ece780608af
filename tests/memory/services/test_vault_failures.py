"""What the vault cannot take or open loses no secret without a word, and keeps none twice."""

import os

import pytest

from memory.domain.capture import FactDraft
from memory.domain.errors import Permanent
from memory.domain.foreign.found import Found
from memory.models import Fact, Principal, Scope, Turn, across_owners, acting_as
from memory.services.credentials import correct_without_secrets
from memory.services.imported.memories import keep_memories
from memory.services.vault import check_vault
from tests.fixtures import add_turn, remember
from tests.memory.services.test_credentials import WIFI, held, open_with, told, vault

__all__ = ["vault"]

BROKEN_KEY = {"key": b"short"}
SPLIT = {"text": "The new wifi password", "why": "hunter2abc"}
WAITING = {
    "turn": ("turns", {"conversation": "c", "role": "user", "text": WIFI, "key": "k1"}),
    "turns": (
        "turns",
        [
            {"conversation": "c", "role": "user", "text": "I live in Leeds", "key": "k1"},
            {"conversation": "c", "role": "user", "text": WIFI, "key": "k2"},
        ],
    ),
    "fact": ("facts", {"text": WIFI}),
    "split fact": ("facts", SPLIT),
    "record": (
        "query",
        {
            "action": "UPSERT",
            "entry": {"summary": WIFI, "type": "fact", "idempotency_key": "k1"},
        },
    ),
}


@pytest.mark.parametrize("name", WAITING)
def test_vault_that_fails_refuses_whole_what_can_be_sent_again(vault, api, alice, settings, name):
    address, body = WAITING[name]
    options = settings.LONGHAND_CIPHER_OPTIONS
    settings.LONGHAND_CIPHER_OPTIONS = BROKEN_KEY

    refused = api("post", address, body)

    assert refused.status_code == 503
    assert "LONGHAND_VAULT_KEY_FILE" in refused.json()["detail"]
    with across_owners():
        assert (Turn.objects.count(), Fact.objects.count(), held()) == (0, 0, [])

    settings.LONGHAND_CIPHER_OPTIONS = options
    for _ in range(2):
        assert api("post", address, body).status_code in {200, 201}
    assert [told(alice, each) for each in held()] in (["bluegoose42"], ["hunter2abc"])


def test_vault_that_fails_is_not_asked_for_what_it_would_not_keep(vault, api, settings):
    settings.LONGHAND_CIPHER_OPTIONS = BROKEN_KEY
    said = [("assistant", WIFI), ("user", "The verification code is 000123"), ("user", "Hello")]

    for role, text in said:
        turn = {"conversation": "c", "role": role, "text": text}
        assert api("post", "turns", turn).status_code == 201


def test_vault_that_fails_refuses_a_change_that_has_a_secret(vault, alice, settings):
    fact = remember(alice, "The router hums")
    settings.LONGHAND_CIPHER_OPTIONS = BROKEN_KEY

    with acting_as(Principal(alice)) as principal, pytest.raises(Permanent, match="KEY_FILE"):
        correct_without_secrets(
            principal=principal, fact_id=fact.pk, changes={"text": WIFI, "importance": 9}
        )

    fact.refresh_from_db()
    assert (fact.text, fact.importance) == ("The router hums", 5)


def test_secret_of_a_change_goes_into_the_vault(vault, alice):
    fact = remember(alice, "The router hums", why="hunter2abc")

    with acting_as(Principal(alice)) as principal:
        changed, put = correct_without_secrets(
            principal=principal, fact_id=fact.pk, changes={"text": "The wifi password"}
        )

    (credential,) = held()
    assert (changed.text, changed.why) == ("The wifi password", "[secret: password]")
    assert [each.note for each in put] == ["a password went into the vault: wifi"]
    assert told(alice, credential) == "hunter2abc"


def test_secret_of_an_imported_memory_goes_into_the_vault(vault, alice):
    found = [Found("row 1", FactDraft(text="wifi password", why="hunter2abc"))]

    with acting_as(Principal(alice)) as principal:
        outcome = keep_memories(
            found,
            principal=principal,
            scope=Scope.objects.for_user(alice),
            say=lambda _: None,
        )

    assert [told(alice, each) for each in held()] == ["hunter2abc"]
    assert dict(outcome.secrets) == {"a password went into the vault: wifi": 1}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (WIFI, "the vault has the password for wifi already"),
        ("password: bluegoose42", "the vault has this password already without a name"),
    ],
)
def test_secret_said_again_under_a_new_key_is_the_same_credential(
    vault, alice, settings, text, note
):
    add_turn(alice, text)
    open_with(settings, os.urandom(32), vault)

    again = add_turn(alice, f"Again: {text}")
    other = add_turn(alice, "password: greengoose43")

    assert note in again.skipped
    assert "went into the vault" in other.skipped
    assert [told(alice, each) for each in held()] == ["bluegoose42", "greengoose43"]


def test_secret_whose_earlier_seal_nobody_can_open_is_kept_beside_it(vault, alice, settings):
    add_turn(alice, WIFI)
    open_with(settings, os.urandom(32))

    again = add_turn(alice, f"Again: {WIFI}")
    once_more = add_turn(alice, f"Once more: {WIFI}")

    assert again.skipped.endswith("a password went into the vault: wifi-2")
    assert "the vault has the password for wifi-2 already" in once_more.skipped
    assert told(alice, held()[1]) == "bluegoose42"
    assert check_vault().state == "degraded"
