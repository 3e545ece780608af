"""Several who put secrets away in the same moment leave one value for each service."""

import pytest

from memory.models import Credential, Principal, across_owners, acting_as
from memory.services.credentials import SecretDraft, reveal_credential, store_credential
from tests.cases.handed import at_once
from tests.fixtures import add_turn

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def vault(settings):
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": bytes(range(32)), "old_keys": ()}


def values(user):
    with acting_as(Principal(user)) as principal:
        rows = Credential.objects.visible_to(principal).by_service()
        return {
            row.service: reveal_credential(principal=principal, credential_id=row.pk)
            for row in rows
        }


def test_first_of_several_values_for_one_service_stays(alice):
    turns = at_once(
        4,
        lambda number: add_turn(
            alice, f"My wifi password is goose{number}blue", conversation=f"c{number}"
        ),
    )

    (kept,) = values(alice).items()
    assert kept[0] == "wifi"
    assert sum("went into the vault" in turn.skipped for turn in turns) == 1
    assert sum("another password for wifi" in turn.skipped for turn in turns) == 3


def test_all_of_several_nameless_values_are_kept(alice):
    at_once(
        4, lambda number: add_turn(alice, f"password: goose{number}blue", conversation=f"c{number}")
    )

    assert sorted(values(alice)) == ["unnamed", "unnamed-2", "unnamed-3", "unnamed-4"]
    assert sorted(values(alice).values()) == [f"goose{number}blue" for number in range(4)]


def test_several_who_store_by_hand_leave_one_of_their_values(alice):
    def store(number):
        with acting_as(Principal(alice)) as principal:
            draft = SecretDraft(service="wifi", kind="password", value=f"goose{number}blue")
            return store_credential(principal=principal, draft=draft)

    at_once(4, store)

    (value,) = values(alice).values()
    assert value in {f"goose{number}blue" for number in range(4)}
    with across_owners():
        assert Credential.objects.count() == 1
