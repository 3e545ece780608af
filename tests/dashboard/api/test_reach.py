"""What a body or an address names and cannot have: which field, what to do, and nothing more."""

import pytest

from memory.models import Agent, Conversation, Turn, across_owners
from memory.services.accounts import create_token
from tests.fixtures import Api, add_turn, agent_of

TURN = {"role": "user", "text": "I live in Leeds."}
FACT = {"text": "The rent is 1,300"}
THEIRS, NOBODYS = "talk of rook", "talk of nobody"


@pytest.fixture
def quill(alice):
    """The API of one agent, beside another that has a conversation."""
    rook = agent_of(alice, "rook")
    add_turn(alice, "Hello", conversation=THEIRS, agent=rook)
    return Api(create_token(alice, agent="quill"))


def problem(response):
    body = response.json()
    assert response.status_code == body["status"] == 404
    [error] = body["errors"]
    # Of a list, the entry stands before it, and what became of the list behind it.
    assert error["detail"] in body["detail"]
    return error["field"], body["detail"]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("turns", {**TURN, "conversation": THEIRS}, "conversation"),
        ("turns", [{**TURN, "conversation": THEIRS}], "0.conversation"),
        (
            "turns",
            {**TURN, "conversation": "x", "scope": {"kind": "session", "conversation": THEIRS}},
            "scope.conversation",
        ),
        ("turns", {**TURN, "conversation": "x", "agent": "rook"}, "agent"),
        ("facts", {**FACT, "scope": {"kind": "session", "conversation": THEIRS}},
         "scope.conversation"),
        ("facts", {**FACT, "scope": {"kind": "agent", "agent": "rook"}}, "scope.agent"),
        ("recall", {"query": "rent", "conversation": THEIRS}, "conversation"),
        ("recall", {"query": "rent", "agent": "rook"}, "agent"),
    ],
)  # fmt: skip
def test_name_beyond_the_token_is_told_with_its_field_and_a_remedy(quill, path, body, field):
    told, detail = problem(quill("post", path, body))

    assert told == field
    assert "token" in detail
    assert THEIRS not in detail
    with across_owners():
        assert Turn.objects.count() == 1


def test_agent_in_an_address_is_told_with_its_field(quill):
    assert problem(quill("get", "conversations?agent=rook"))[0] == "agent"


@pytest.mark.parametrize("name", ["agent", "conversation"])
def test_name_of_another_agents_and_one_that_never_was_are_answered_alike(quill, name):
    theirs, nobodys = ("rook", "nobody") if name == "agent" else (THEIRS, NOBODYS)

    answers = [
        quill("post", "recall", {"query": "rent", name: each}).content for each in (theirs, nobodys)
    ]

    assert answers[0] == answers[1]


@pytest.mark.parametrize("by", ["key", "id"])
def test_conversation_of_somebody_else_is_never_told(bob, quill, alice, by):
    foreign = add_turn(bob, "Hello", conversation="standup").conversation
    name = foreign.key if by == "key" else str(foreign.pk)

    answer = Api(create_token(alice))("post", "turns", {**TURN, "conversation": name})

    assert answer.status_code == 201  # a new one of alice's own, with this as its key
    assert Conversation.objects.filter(owner=alice, key=name).exists()
    assert Agent.objects.filter(owner=bob).count() == 0
