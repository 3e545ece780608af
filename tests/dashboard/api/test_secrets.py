"""A secret is masked or refused by whichever field it comes in."""

import pytest

from memory.models import Conversation, Fact, FactHistory, Turn, across_owners
from tests.fixtures import remember

API_KEY = "sk-proj-abcdefghijklmnop1234567890"
TURN = {"conversation": "standup", "role": "user", "text": "I live in Leeds."}


def refused_field(response):
    assert response.status_code == 400
    assert API_KEY not in response.content.decode()
    (error,) = response.json()["errors"]
    return error["field"]


def stored(model):
    with across_owners():
        return model.objects.count()


def test_secret_in_the_name_of_a_speaker_is_masked(api):
    response = api("post", "turns", {**TURN, "speaker": f"token={API_KEY}"})

    assert response.json()["turn"]["speaker"] == "token=[secret: API key]"
    with across_owners():
        assert API_KEY not in Turn.objects.get().speaker


@pytest.mark.parametrize("field", ["conversation", "key"])
def test_secret_in_a_key_of_the_clients_own_is_refused(api, field):
    response = api("post", "turns", {**TURN, field: API_KEY})

    assert refused_field(response) == field
    assert stored(Turn) == stored(Conversation) == 0


def test_secret_in_the_conversation_of_a_scope_is_refused(api):
    scope = {"kind": "session", "conversation": API_KEY}

    response = api("post", "facts", {"text": "The rent is 1,300", "scope": scope})

    assert refused_field(response) == "conversation"
    assert stored(Fact) == stored(Conversation) == 0


def test_secret_in_the_reason_of_a_forgetting_is_masked(api, fact):
    reason = "because my password is hunter2!x9"

    response = api("delete", f"facts/{fact.pk}", {"reason": reason})

    assert response.json()["status_reason"] == "because my password is [secret: password]"
    with across_owners():
        assert "hunter2" not in Fact.objects.get().status_reason


def test_value_is_masked_when_its_key_makes_it_a_secret(api):
    body = {"text": "The wifi", "key": "password", "value": "hunter2abc9"}

    kept = api("post", "facts", body).json()

    assert (kept["key"], kept["value"]) == ("password", "[secret: password]")
    with across_owners():
        assert "hunter2" not in str(FactHistory.objects.of(kept["id"]).values())


@pytest.mark.parametrize(
    ("first", "changes"),
    [
        ({"key": "password"}, {"value": "hunter2abc9"}),
        ({"value": "hunter2abc9"}, {"key": "password"}),
    ],
    ids=["value", "key"],
)
def test_value_is_masked_when_a_change_makes_it_a_secret(api, alice, first, changes):
    fact = remember(alice, "The wifi", **first)

    changed = api("patch", f"facts/{fact.pk}", changes).json()

    assert (changed["key"], changed["value"]) == ("password", "[secret: password]")


@pytest.mark.parametrize("kind", ["x-ghp_abcdefghijklmnopqrstuvwx1234", f"x-{API_KEY}", "x-Recipe"])
def test_kind_that_could_hold_a_secret_is_refused(api, alice, kind):
    fact = remember(alice, "Known")

    kept, changed = (
        api("post", "facts", {"text": "New", "kind": kind}),
        api("patch", f"facts/{fact.pk}", {"kind": kind}),
    )

    assert [error["field"] for error in kept.json()["errors"]] == ["kind"]
    assert (kept.status_code, changed.status_code) == (400, 400)
    assert stored(Fact) == 1


def test_kind_of_ones_own_in_small_letters_is_kept(api):
    response = api("post", "facts", {"text": "Boil it for an hour", "kind": "x-recipe"})

    assert (response.status_code, response.json()["kind"]) == (201, "x-recipe")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tags", ["t" * 50 + " pin=123456"]),
        ("entity", "e" * 190 + " pin=1234"),
        ("key", "k" * 190 + " pin=1234"),
    ],
)
def test_value_that_is_too_long_once_it_is_masked_is_refused(api, field, value):
    response = api("post", "facts", {"text": "Something", field: value})

    assert refused_field(response) == field
    assert stored(Fact) == 0
