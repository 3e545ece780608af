"""Recall over REST."""

import pytest

from memory.domain.errors import Permanent
from memory.models import Conversation, Scope
from tests.fixtures import Api, add_turn, agent_of, remember


def ask(api, query="rent", **fields):
    return api("post", "recall", {"query": query, **fields})


def texts(response):
    return [each[each["type"]]["text"] for each in response.json()["results"]]


def test_answer_holds_facts_their_parts_and_a_block(api, alice, vectors):
    remember(alice, "The rent is 1,300")
    vectors()

    response = ask(api)

    assert response.status_code == 200
    answer = response.json()
    (result,) = answer["results"]
    assert (result["type"], result["fact"]["text"]) == ("fact", "The rent is 1,300")
    parts = result["parts"].values()
    recomputed = sum(part["scaled"] * part["covered"] * part["weight"] for part in parts)
    assert result["score"] == pytest.approx(recomputed)
    assert answer["block"].endswith("fact: The rent is 1,300")
    assert answer["took_ms"] > 0
    assert answer["notice"] is None


def test_answer_without_explain_has_no_parts(api, alice):
    remember(alice, "The rent is 1,300")

    assert "parts" not in ask(api, explain=False).json()["results"][0]


def test_turns_are_found_when_they_are_included(api, alice):
    add_turn(alice, "What is the rent of the flat?")

    assert texts(ask(api)) == []
    assert texts(ask(api, include=["turns"])) == ["What is the rent of the flat?"]


@pytest.mark.parametrize(
    "fields",
    [
        {"query": ""},
        {"query": "\u200b \n"},
        {"query": "x" * 10_001},
        {"limit": 0},
        {"limit": 51},
        {"mode": "magic"},
        {"include": []},
        {"include": ["dreams"]},
        {"filters": {"color": "red"}},
        {"as_of": "2026-01-01T00:00:00"},
        {"budget_tokens": -1},
        {"user_id": "somebody"},
    ],
    ids=lambda fields: str(fields)[:40],
)
def test_question_that_cannot_be_answered_is_refused(api, fields):
    response = ask(api, **fields)

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"


def test_session_facts_come_with_their_conversation_only(api, alice):
    talk = {"kind": "session", "conversation": "standup"}
    api("post", "facts", {"text": "The rent of the talk", "scope": talk})

    assert texts(ask(api)) == []
    assert texts(ask(api, conversation="standup")) == ["The rent of the talk"]


def test_conversation_is_named_by_its_key_or_its_id(api, alice):
    talk = {"kind": "session", "conversation": "standup"}
    api("post", "facts", {"text": "The rent of the talk", "scope": talk})
    pk = str(Conversation.objects.get(owner=alice).pk)
    by_id = {"kind": "session", "conversation": pk}

    again = api("post", "facts", {"text": "The rent of the flat", "scope": by_id})
    api("post", "turns", {"conversation": pk, "role": "user", "text": "Hm"})

    assert again.status_code == 201
    assert set(texts(ask(api, conversation=pk))) == {"The rent of the talk", "The rent of the flat"}
    assert Conversation.objects.count() == 1


def test_key_that_looks_like_an_id_is_a_key_first(api, alice):
    add_turn(alice, "Hello", conversation="standup")
    pk = str(Conversation.objects.get(owner=alice).pk)
    add_turn(alice, "Hello there", conversation=pk)
    talk = {"kind": "session", "conversation": pk}
    api("post", "facts", {"text": "The rent of the talk", "scope": talk})

    assert texts(ask(api, conversation="standup")) == []
    assert texts(ask(api, conversation=pk)) == ["The rent of the talk"]


def test_id_of_anothers_conversation_is_404(api, bob):
    add_turn(bob, "Hello", conversation="his")

    assert ask(api, conversation=str(Conversation.objects.get(owner=bob).pk)).status_code == 404


def test_facts_of_an_own_agent_come_when_it_is_named(api, alice):
    quill = agent_of(alice, "quill")
    remember(alice, "The rent of quill", scope=Scope.objects.for_agent(quill))

    assert texts(ask(api)) == []
    assert texts(ask(api, agent="quill")) == ["The rent of quill"]


@pytest.mark.parametrize("named", [{"agent": "rook"}, {"conversation": "unknown"}])
def test_agent_or_conversation_that_is_none_of_ones_own_is_404(api, bob, named):
    agent_of(bob, "rook")
    add_turn(bob, "Hello", conversation="unknown")

    assert ask(api, **named).status_code == 404


def test_agent_selects_inside_its_ceiling_only(alice, agent_token):
    agent_of(alice, "rook")

    assert ask(Api(agent_token), agent="rook").status_code == 404


def test_recall_without_an_embedder_goes_by_words_and_says_so(api, alice, monkeypatch):
    def broken():
        raise Permanent("The model is missing. Run manage.py export_embedder.")

    monkeypatch.setattr("memory.recall.recalling.active_model", broken)
    remember(alice, "The rent is 1,300")

    hybrid, semantic = ask(api), ask(api, mode="semantic")

    assert texts(hybrid) == ["The rent is 1,300"]
    assert "export_embedder" in hybrid.json()["notice"]
    assert semantic.status_code == 503
    assert "export_embedder" in semantic.json()["detail"]
