"""Recording turns: once a key, whole lists, and capture in a savepoint."""

import pytest

from memory.domain.errors import InvalidInput
from memory.models import Agent, Conversation, Fact, Principal, Scope, Turn, acting_as
from memory.services.turns import TurnDraft, conversation_for, record_turns
from tests.fixtures import agent_of


def record(principal, *texts, key="", conversation="talk"):
    talk = conversation_for(principal, conversation)
    scope = Scope.objects.for_user(principal.user)
    turns = [(talk, scope, TurnDraft(text=text, role="user", key=key)) for text in texts]
    return record_turns(principal=principal, turns=turns)


def test_turn_leads_to_the_fact_that_was_said_in_it(as_alice):
    (recorded,) = record(as_alice, "I live in Leeds.")

    (fact,) = recorded.facts
    assert fact.turn_id == recorded.turn.pk
    assert fact.source == "conversation"
    turn = Turn.objects.get()
    assert turn.captured == [{"fact": str(fact.pk), "duplicate": False}]
    assert turn.processed_at is not None


def test_fact_that_is_said_again_belongs_to_its_first_turn(as_alice):
    first, second = record(as_alice, "I live in Leeds.", "I live in Leeds.")

    assert first.facts[0].pk == second.facts[0].pk
    assert Fact.objects.get().turn_id == first.turn.pk
    assert Turn.objects.get(pk=second.turn.pk).captured[0]["duplicate"] is True


def test_turns_without_a_key_are_each_stored(as_alice):
    record(as_alice, "Hello there.", "Hello there.")

    assert Turn.objects.count() == 2


def test_turns_with_one_key_are_one(as_alice):
    first, second = record(as_alice, "I live in Leeds.", "I live in Lyon.", key="k")

    assert (first.is_repeat, second.is_repeat) == (False, True)
    assert second.turn.pk == first.turn.pk
    assert [fact.pk for fact in second.facts] == [fact.pk for fact in first.facts]


def test_refused_turn_stores_none_of_the_list(as_alice):
    with pytest.raises(InvalidInput):
        record(as_alice, "Fine.", "  ")

    assert Turn.objects.count() == 0


def test_capture_that_fails_does_not_spoil_the_other_turns(as_alice, monkeypatch):
    from memory.services import turns

    real = turns.perceive

    def perceive(text, *rest):
        if "broken" in text:
            raise ValueError("no rule for this")
        return real(text, *rest)

    monkeypatch.setattr(turns, "perceive", perceive)

    broken, whole = record(as_alice, "This one is broken.", "I live in Leeds.")

    assert broken.facts == []
    assert "ValueError" in Turn.objects.get(pk=broken.turn.pk).skipped
    assert [fact.text for fact in whole.facts] == ["I live in Leeds."]


def test_turn_is_found_by_its_speaker_and_words(as_alice):
    talk = conversation_for(as_alice, "talk")
    draft = TurnDraft(text="The build is green.", role="user", speaker="Ines")
    scope = Scope.objects.for_user(as_alice.user)
    record_turns(principal=as_alice, turns=[(talk, scope, draft)])

    turn = Turn.objects.get()
    assert "'ine':" in turn.search or "'ines':" in turn.search
    assert turn.doc_length > 0


def test_conversation_is_made_once_and_belongs_to_its_agent(alice):
    quill = agent_of(alice, "quill")
    with acting_as(Principal(alice, quill)) as principal:
        first, second = (conversation_for(principal, "talk") for _ in range(2))

    assert first == second
    assert first.agent == quill


def test_conversation_of_another_agent_is_not_found(alice):
    agent_of(alice, "quill")
    agent_of(alice, "rook")
    quill, rook = Agent.objects.order_by("name")
    with acting_as(Principal(alice, quill)) as principal:
        conversation_for(principal, "talk")

    with acting_as(Principal(alice, rook)) as principal, pytest.raises(Conversation.DoesNotExist):
        conversation_for(principal, "talk")


def test_conversations_of_two_people_may_have_one_key(alice, bob):
    for user in (alice, bob):
        with acting_as(Principal(user)) as principal:
            assert conversation_for(principal, "talk").owner == user
