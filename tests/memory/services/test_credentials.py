"""The vault: what goes into it as it is said, who may have it told, and what it never does."""

import os
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from memory.backends.cipher.aesgcm import AesGcmCipher
from memory.domain.errors import InvalidInput, Permanent
from memory.domain.redaction.together import Secret
from memory.domain.secret_notes import TOO_MANY
from memory.models import (
    AuditEntry,
    Credential,
    Fact,
    Principal,
    Scope,
    Turn,
    User,
    across_owners,
    acting_as,
)
from memory.services.credentials import (
    MOST_AT_ONCE,
    SecretDraft,
    delete_credential,
    put_away,
    reveal_credential,
    store_credential,
)
from memory.services.moving import move_fact
from memory.services.removal import remove_account
from memory.services.vault import check_vault, reseal_everything
from tests.fixtures import add_turn, agent_of, forget

WIFI = "My wifi password is bluegoose42"
SECRETS = [Secret("password", "bluegoose42", "wifi")]
POSTGRES = "postgres://svc:hunter2fake@db.example.org/app"


@pytest.fixture
def vault(settings: Any) -> bytes:
    """A vault with a key of this test alone."""
    key = os.urandom(32)
    open_with(settings, key)
    return key


def open_with(settings: Any, key: bytes, *old_keys: bytes) -> None:
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": key, "old_keys": old_keys}


def held() -> list[Credential]:
    with across_owners():
        return list(Credential.objects.order_by("pk").select_related("scope", "fact"))


def told(user: User, credential: Credential) -> str:
    with acting_as(Principal(user)) as principal:
        return reveal_credential(principal=principal, credential_id=credential.pk)


def draft(**fields: str) -> SecretDraft:
    return SecretDraft(**{"service": "wifi", "kind": "password", "value": "greengoose43", **fields})


def test_secret_of_a_turn_goes_into_the_vault_and_leaves_a_pointer(vault, alice):
    turn = add_turn(alice, WIFI)

    (credential,) = held()
    assert turn.text == "My wifi password is [secret: password]"
    assert turn.skipped.endswith("a password went into the vault: wifi")
    assert (credential.service, credential.kind) == ("wifi", "password")
    assert credential.scope.user == alice
    assert told(alice, credential) == "bluegoose42"
    pointer = credential.fact
    assert pointer.text == "The password for wifi is in the vault."
    assert (pointer.entity, pointer.key, pointer.value) == ("wifi", "password", "")
    assert (pointer.category, pointer.decay_class) == ("entity", "permanent")
    assert (pointer.tags, pointer.turn_id, pointer.source) == (
        ["credential"],
        turn.pk,
        "conversation",
    )
    assert {each["fact"] for each in turn.captured} >= {str(pointer.pk)}
    with across_owners():
        assert Turn.objects.get(pk=turn.pk).skipped == turn.skipped


def test_without_a_vault_a_secret_is_masked_and_the_turn_says_so(alice):
    turn = add_turn(alice, WIFI)

    assert held() == []
    assert "bluegoose42" not in turn.text
    assert turn.skipped.endswith("a secret was masked; no vault is set")


def test_secret_of_a_fact_goes_into_the_vault(vault, api, alice):
    response = api(
        "post", "facts", {"text": "The router", "key": "password", "value": "hunter2abc9"}
    )

    (credential,) = held()
    assert response.json()["vault"] == ["a password went into the vault without a name"]
    assert response.json()["value"] == "[secret: password]"
    assert told(alice, credential) == "hunter2abc9"


def test_secret_of_a_record_of_the_protocol_goes_into_the_vault(vault, api, alice):
    entry = {"summary": WIFI, "type": "fact"}

    response = api("post", "query", {"action": "UPSERT", "entry": entry})

    assert response.status_code < 300
    assert "bluegoose42" not in response.content.decode()
    assert [told(alice, each) for each in held()] == ["bluegoose42"]


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_what_nobody_said_themselves_is_masked_only(vault, api, role):
    turn = {"conversation": "c", "role": role, "text": WIFI}

    response = api("post", "turns", turn)

    assert response.json()["turn"]["text"].endswith("[secret: password]")
    assert held() == []


def test_secret_for_everyone_is_masked_only(vault, staff):
    principal = Principal(staff, may_write_global=True)
    with acting_as(principal):
        scope = Scope.objects.for_everyone()
        (put,) = put_away(principal=principal, scope=scope, secrets=SECRETS)

    assert "only what is said to yourself" in put.note
    assert held() == []


def test_secret_in_anothers_scope_is_masked_only(vault, alice, bob):
    principal = Principal(alice)
    with acting_as(principal):
        others = Scope.objects.for_user(bob)
        (put,) = put_away(principal=principal, scope=others, secrets=SECRETS)

    assert "only what is said to yourself" in put.note
    assert held() == []


def test_secret_told_to_an_agent_goes_into_its_owners_vault(vault, alice):
    quill = agent_of(alice, "quill")

    add_turn(alice, WIFI, agent=quill, scope=Scope.objects.for_agent(quill))

    (credential,) = held()
    assert credential.scope.user == alice
    assert credential.fact.scope.agent == quill


def test_one_time_code_is_masked_and_never_kept(vault, alice):
    turn = add_turn(alice, "The verification code is 000123")

    assert held() == []
    assert turn.skipped.endswith("a one-time code was masked; the vault keeps none")


def test_same_secret_said_again_is_the_same_credential(vault, alice):
    add_turn(alice, WIFI)

    again = add_turn(alice, f"Again: {WIFI}")

    assert len(held()) == 1
    assert again.skipped.endswith("the vault has the password for wifi already")


def test_capture_never_overwrites_what_the_vault_has(vault, alice):
    with acting_as(Principal(alice)) as principal:
        store_credential(principal=principal, draft=draft())

    turn = add_turn(alice, WIFI)

    (credential,) = held()
    assert told(alice, credential) == "greengoose43"
    assert "another password for wifi; this one was masked and not kept" in turn.skipped


@pytest.mark.parametrize("service", ["My_Router", "my-router", "MY ROUTER"])
def test_service_with_a_dash_and_with_an_underscore_is_one(vault, alice, service):
    with acting_as(Principal(alice)) as principal:
        first = store_credential(principal=principal, draft=draft(service="my_router"))
        again = store_credential(
            principal=principal, draft=draft(service=service, value="newer0000")
        )

    assert again.pk == first.pk
    assert told(alice, again) == "newer0000"
    assert again.changed_at > first.changed_at
    assert again.recorded_at == first.recorded_at


def test_database_itself_refuses_a_second_value_for_one_service(vault, alice):
    with acting_as(Principal(alice)) as principal:
        first = store_credential(principal=principal, draft=draft(service="my_router"))
        columns = {"kind": "password", "ciphertext": b"x", "key_id": "k", "digest": b"d"}
        with pytest.raises(IntegrityError), transaction.atomic():
            Credential.objects.create(scope=first.scope, service="My-router", **columns)


def test_two_secrets_that_nothing_names_are_both_kept(vault, alice):
    add_turn(alice, "password: bluegoose42")
    add_turn(alice, "password: greengoose43")

    assert [each.service for each in held()] == ["unnamed", "unnamed-2"]
    assert [told(alice, each) for each in held()] == ["bluegoose42", "greengoose43"]


def test_service_that_is_a_secret_itself_is_refused(vault, alice):
    with acting_as(Principal(alice)) as principal, pytest.raises(InvalidInput, match="service"):
        store_credential(principal=principal, draft=draft(service="sk-FAKE0fake0FAKE0fake0"))


def test_repr_of_a_draft_tells_no_value():
    assert "greengoose43" not in repr(draft())


def test_each_look_at_a_value_is_in_the_audit(vault, alice):
    add_turn(alice, WIFI)
    (credential,) = held()

    told(alice, credential)

    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.owner, entry.action) == (alice, alice, "revealed")
    assert (entry.noun, entry.rows) == ("credential", [str(credential.pk)])


def test_nobody_but_the_owner_gets_a_value(vault, alice, bob, root):
    add_turn(alice, WIFI)
    (credential,) = held()
    strangers = [Principal(bob), Principal(root), Principal(alice, agent_of(alice, "quill"))]

    for stranger in strangers:
        with acting_as(stranger) as principal:
            assert list(Credential.objects.visible_to(principal)) == []
            with pytest.raises(Credential.DoesNotExist):
                reveal_credential(principal=principal, credential_id=credential.pk)
            with pytest.raises(Credential.DoesNotExist):
                delete_credential(principal=principal, credential_id=credential.pk)
    assert AuditEntry.objects.count() == 0


def test_row_that_is_moved_to_another_owner_does_not_open(vault, alice, bob):
    add_turn(alice, WIFI)
    (credential,) = held()
    with across_owners():
        Credential.objects.update(scope=Scope.objects.for_user(bob))

    with pytest.raises(Permanent, match="changed or moved"):
        told(bob, credential)


@pytest.mark.parametrize("column", ["ciphertext", "service", "kind"])
def test_row_that_was_changed_does_not_open(vault, alice, column):
    add_turn(alice, WIFI)
    (credential,) = held()
    value = b"x" * 40 if column == "ciphertext" else "other"
    with across_owners():
        Credential.objects.update(**{column: value})

    with pytest.raises(Permanent, match="changed or moved"):
        told(alice, credential)


def test_other_key_opens_nothing_and_is_named_on_the_check_page(vault, alice, settings):
    add_turn(alice, WIFI)
    (credential,) = held()
    open_with(settings, os.urandom(32))

    with pytest.raises(Permanent, match="LONGHAND_VAULT_OLD_KEYS"):
        told(alice, credential)
    assert check_vault().state == "degraded"
    assert credential.key_id in check_vault().detail


def test_key_that_is_gone_is_missed_loudly(vault, alice, settings):
    add_turn(alice, WIFI)
    (credential,) = held()
    settings.LONGHAND_CIPHER = "memory.backends.cipher.none.NoCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {}

    with pytest.raises(Permanent, match=credential.key_id):
        told(alice, credential)
    assert check_vault().state == "degraded"
    assert "LONGHAND_VAULT_KEY_FILE" in check_vault().remedy


def test_vault_is_well_without_a_key_as_long_as_it_is_empty(db):
    assert check_vault().state == "ok"


def test_everything_is_sealed_anew_under_todays_key(vault, alice, bob, settings):
    add_turn(alice, WIFI)
    add_turn(bob, POSTGRES)
    key = os.urandom(32)
    open_with(settings, key, vault)
    assert [told(alice, held()[0]), told(bob, held()[1])] == ["bluegoose42", "hunter2fake"]

    assert reseal_everything() == 2
    assert reseal_everything() == 0

    open_with(settings, key)
    assert {each.key_id for each in held()} == {AesGcmCipher(key).key_id}
    assert [told(alice, held()[0]), told(bob, held()[1])] == ["bluegoose42", "hunter2fake"]
    add_turn(alice, WIFI)
    assert len(held()) == 2


def test_sealing_anew_without_the_old_key_changes_nothing(vault, alice, settings):
    add_turn(alice, WIFI)
    before = bytes(held()[0].ciphertext)
    open_with(settings, os.urandom(32))

    with pytest.raises(Permanent, match="LONGHAND_VAULT_OLD_KEYS"):
        reseal_everything()

    assert bytes(held()[0].ciphertext) == before


def test_deleted_value_is_gone_and_its_pointer_forgotten(vault, alice):
    add_turn(alice, WIFI)
    (credential,) = held()

    with acting_as(Principal(alice)) as principal:
        delete_credential(principal=principal, credential_id=credential.pk)

    assert held() == []
    with across_owners():
        pointer = Fact.objects.get(pk=credential.fact_id)
    assert (pointer.status, pointer.status_reason) == (
        "archived",
        "its value was deleted from the vault",
    )


@pytest.mark.parametrize("where", ["global", "agent", "of another"])
def test_value_is_deleted_and_told_to_its_owner_alone_wherever_its_pointer_was_moved(
    vault, alice, bob, where
):
    add_turn(alice, WIFI)
    (credential,) = held()
    scopes = {
        "global": Scope.objects.for_everyone,
        "agent": lambda: Scope.objects.for_agent(agent_of(alice, "quill")),
        "of another": lambda: Scope.objects.for_user(bob),
    }
    hands = Principal(alice, may_write_global=True)
    target = scopes[where]()
    hands = hands.reaching([target.pk])
    with acting_as(hands):
        move_fact(principal=hands, fact_id=credential.fact_id, scope=target)

    assert told(alice, credential) == "bluegoose42"
    for stranger in [Principal(bob), Principal(alice, agent_of(alice, "quill"))]:
        with acting_as(stranger), pytest.raises(Credential.DoesNotExist):
            reveal_credential(principal=stranger, credential_id=credential.pk)
    with acting_as(Principal(alice)) as principal:
        delete_credential(principal=principal, credential_id=credential.pk)

    assert held() == []
    with across_owners():
        assert Fact.objects.get(pk=credential.fact_id).is_active is (where == "of another")


def test_value_stays_when_its_pointer_is_forgotten_or_deleted(vault, alice):
    add_turn(alice, WIFI)
    (credential,) = held()

    forget(alice, credential.fact)
    with across_owners():
        Fact.objects.filter(pk=credential.fact_id).delete()

    (left,) = held()
    assert left.fact is None
    assert told(alice, left) == "bluegoose42"


def test_credentials_go_with_their_owner_and_nobody_elses(vault, alice, bob, root):
    add_turn(alice, WIFI)
    add_turn(bob, WIFI)

    with acting_as(Principal(root)) as principal:
        remove_account(principal=principal, user_id=alice.pk)

    (left,) = held()
    assert left.scope.user == bob


def test_equal_values_of_two_people_look_different_in_the_database(vault, alice, bob):
    add_turn(alice, WIFI)
    add_turn(bob, WIFI)

    one, other = held()
    assert one.digest != other.digest
    assert one.ciphertext != other.ciphertext


def test_pointer_of_every_kind_says_no_secret_and_stays_whole(vault):
    from memory.domain.redaction import redact
    from memory.domain.secret_notes import pointer
    from tests.secret_texts import MUST_MASK

    kinds = {kind for text, _ in MUST_MASK for kind in redact(text).found}
    for kind in kinds:
        for service in ("example.org", "wifi", "unnamed", "unnamed-2", "支付宝", "github"):
            told = pointer(kind, service)
            assert redact(told).text == told


def test_message_full_of_secrets_gives_the_vault_the_first_and_says_so(alice, vault):
    lines = [f"SERVICE{n}_API_KEY=sk-FAKE{n:02}a1B2c3D4e5F6g7H8" for n in range(MOST_AT_ONCE + 3)]

    add_turn(alice, "\n".join(lines))

    assert len(held()) == MOST_AT_ONCE
    with across_owners():
        turn = Turn.objects.get()
    assert TOO_MANY in turn.skipped
    assert "FAKE" not in turn.text
