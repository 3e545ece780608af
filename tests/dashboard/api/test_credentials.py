"""The vault over REST: what it holds without values, a value to its owner, and deletion."""

from typing import Any

import pytest
import structlog

from memory.models import AuditEntry, Credential, across_owners
from tests.fixtures import Api, add_turn


@pytest.fixture(autouse=True)
def vault(settings: Any) -> None:
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": bytes(range(32)), "old_keys": ()}


@pytest.fixture
def credential(alice):
    add_turn(alice, "My wifi password is bluegoose42")
    with across_owners():
        return Credential.objects.select_related("fact").get()


def test_list_tells_what_there_is_and_no_value(api, credential):
    response = api("get", "credentials")

    (told,) = response.json()["credentials"]
    assert (told["id"], told["service"], told["kind"]) == (str(credential.pk), "wifi", "password")
    assert told["fact"] == str(credential.fact_id)
    assert set(told) == {
        "id", "service", "kind", "url", "notes", "recorded_at", "changed_at", "expires_at", "fact",
    }  # fmt: skip
    assert "bluegoose42" not in response.content.decode()


def test_owner_is_told_a_value_that_no_cache_may_keep(api, credential, caplog):
    with structlog.testing.capture_logs() as logs:
        response = api("post", f"credentials/{credential.pk}/reveal")

    assert response.json() == {"id": str(credential.pk), "value": "bluegoose42"}
    assert response["Cache-Control"] == "no-store"
    assert AuditEntry.objects.get().rows == [str(credential.pk)]
    assert "bluegoose42" not in str(logs) + caplog.text


def test_value_is_told_by_post_only(api, credential):
    assert api("get", f"credentials/{credential.pk}/reveal").status_code == 405


def test_values_are_told_ten_times_in_five_minutes(api, credential):
    answers = [api("post", f"credentials/{credential.pk}/reveal") for _ in range(11)]

    assert [each.status_code for each in answers] == [200] * 10 + [429]
    assert int(answers[-1]["Retry-After"]) <= 300
    assert "ten values in five minutes" in answers[-1].json()["detail"]


def test_token_of_an_agent_is_answered_as_a_strangers_is(agent_token, bob_api, credential):
    through_agent = Api(agent_token)

    assert through_agent("get", "credentials").json() == {"credentials": []}
    for method, path in (("post", "/reveal"), ("delete", "")):
        answers = [
            caller(method, f"credentials/{credential.pk}{path}")
            for caller in (through_agent, bob_api)
        ]
        assert [each.status_code for each in answers] == [404, 404]
        assert answers[0].content == answers[1].content


def test_deleted_value_is_gone(api, credential):
    response = api("delete", f"credentials/{credential.pk}")

    assert response.status_code == 204
    assert api("get", "credentials").json() == {"credentials": []}
    assert api("post", f"credentials/{credential.pk}/reveal").status_code == 404
    pointer = api("get", f"facts/{credential.fact_id}").json()
    assert pointer["status"] == "archived"


def test_value_under_a_lost_key_is_refused_with_the_remedy(api, credential, settings):
    settings.LONGHAND_CIPHER_OPTIONS = {"key": bytes(32), "old_keys": ()}

    response = api("post", f"credentials/{credential.pk}/reveal")

    assert response.status_code == 503
    assert "LONGHAND_VAULT_OLD_KEYS" in response.json()["detail"]
    assert "bluegoose42" not in response.content.decode()


def test_turn_answers_with_the_memory_that_points_into_the_vault(api):
    body = {"conversation": "c", "role": "user", "text": "My wifi password is bluegoose42"}

    answer = api("post", "turns", body)

    texts = [each["text"] for each in answer.json()["captured"]]
    assert "The password for wifi is in the vault." in texts
    assert "a password went into the vault: wifi" in answer.json()["skipped"]
    assert "bluegoose42" not in answer.content.decode()
