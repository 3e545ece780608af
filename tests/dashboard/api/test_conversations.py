"""Conversations through REST."""

from typing import Any

import pytest

from memory.models import User
from tests.fixtures import Api, add_turn, agent_of

pytestmark = pytest.mark.django_db


def keys(response: Any) -> list[str]:
    assert response.status_code == 200, response.json()
    return [each["key"] for each in response.json()["conversations"]]


def texts(response: Any) -> list[str]:
    assert response.status_code == 200, response.json()
    return [each["text"] for each in response.json()["turns"]]


def test_conversations_are_listed_with_what_they_gave(api: Api, alice: User) -> None:
    quill = agent_of(alice, "quill")
    turn = add_turn(alice, "I live in York.", conversation="home", agent=quill)

    (listed,) = api("get", "conversations").json()["conversations"]

    assert listed["id"] == str(turn.conversation_id)
    assert (listed["key"], listed["title"], listed["agent"]) == ("home", None, "quill")
    assert (listed["turns"], listed["facts"]) == (1, 1)
    assert listed["scopes"] == [{"kind": "user"}]
    assert listed["last_turn_at"].startswith(f"{turn.observed_at:%Y-%m-%dT%H:%M}")


def test_conversations_come_in_pages_the_latest_first(api: Api, alice: User) -> None:
    for name in "abc":
        add_turn(alice, "Hello", conversation=name)

    first = api("get", "conversations?limit=2")
    cursor = first.json()["next_cursor"]
    second = api("get", "conversations", {"limit": 2, "cursor": cursor})

    assert keys(first) + keys(second) == ["c", "b", "a"]
    assert second.json()["next_cursor"] is None


def test_conversations_are_listed_by_agent(api: Api, alice: User) -> None:
    quill = agent_of(alice, "quill")
    add_turn(alice, "Hello", conversation="work", agent=quill)
    add_turn(alice, "Hello", conversation="home")

    assert keys(api("get", "conversations?agent=quill")) == ["work"]
    assert api("get", "conversations?agent=rook").status_code == 404


@pytest.mark.parametrize("key", ["talk", "a/b c", "what is “this”?", "100%"])
def test_conversation_is_read_by_its_id_or_key(api: Api, alice: User, key: str) -> None:
    from urllib.parse import quote

    turn = add_turn(alice, "I live in York.", conversation=key)

    by_key = api("get", f"conversations/{quote(key, safe='')}").json()
    by_id = api("get", f"conversations/{turn.conversation_id}").json()

    assert by_key == by_id
    (told,) = by_id["turns"]
    assert (told["id"], told["text"]) == (str(turn.pk), "I live in York.")
    assert [each["text"] for each in told["captured"]] == ["I live in York."]
    assert [each["kind"] for each in told["signals"]] == ["identity"]


def test_turns_of_a_conversation_come_in_pages_as_they_were_said(api: Api, alice: User) -> None:
    for number in range(3):
        add_turn(alice, f"Turn {number}")

    first = api("get", "conversations/talk?limit=2")
    cursor = first.json()["next_cursor"]
    second = api("get", "conversations/talk", {"limit": 2, "cursor": cursor})

    assert texts(first) + texts(second) == ["Turn 0", "Turn 1", "Turn 2"]
    assert second.json()["next_cursor"] is None


def test_words_are_searched_in_one_conversation_and_in_all(api: Api, alice: User) -> None:
    add_turn(alice, "The train to York", conversation="home")
    add_turn(alice, "Back from York", conversation="home")
    add_turn(alice, "Yorkshire tea", conversation="work")

    inside = api("get", "conversations/home/search?q=YORK")
    everywhere = api("get", "search/conversations?q=from+york")

    assert texts(inside) == ["The train to York", "Back from York"]
    assert keys(everywhere) == ["home"]
    (found,) = everywhere.json()["conversations"]
    assert found["matches"] == 1
    assert found["first_match"]["text"] == "Back from York"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("conversations/nothing", 404),
        ("conversations/nothing/search?q=x", 404),
        ("conversations/%00", 404),
        ("conversations/%00/search?q=x", 404),
        ("conversations/talk/search", 400),
        ("conversations/talk/search?q=%20", 400),
        ("search/conversations", 400),
        ("search/conversations?q=%00", 400),
        ("conversations?limit=0", 400),
        ("conversations?cursor=nonsense", 400),
        ("conversations/talk?cursor=nonsense", 400),
    ],
)
def test_what_cannot_be_answered_is_a_problem(
    api: Api, alice: User, path: str, status: int
) -> None:
    add_turn(alice, "Hello")

    response = api("get", path)

    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"


def test_conversations_of_others_are_unknown(bob_api: Api, alice: User) -> None:
    turn = add_turn(alice, "I live in York.")

    assert keys(bob_api("get", "conversations")) == []
    assert keys(bob_api("get", "search/conversations?q=york")) == []
    for name in ("talk", turn.conversation_id):
        assert bob_api("get", f"conversations/{name}").status_code == 404


def test_conversations_of_other_agents_are_unknown_to_an_agent(
    alice: User, agent_token: str
) -> None:
    quill, rook = agent_of(alice, "quill"), agent_of(alice, "rook")
    add_turn(alice, "Hello", conversation="mine", agent=quill)
    add_turn(alice, "Hello", conversation="other", agent=rook)
    add_turn(alice, "Hello", conversation="nobody's")

    agent_api = Api(agent_token)

    assert keys(agent_api("get", "conversations")) == ["mine"]
    assert agent_api("get", "conversations/other").status_code == 404
    assert agent_api("get", "conversations?agent=rook").status_code == 404
