"""Recording turns: once a key, whole lists, and capture in a savepoint."""

from datetime import UTC, datetime

import pytest

from memory.domain.errors import InvalidInput
from memory.models import Agent, Conversation, Fact, FactUsage, Principal, Scope, Turn, acting_as
from memory.services.turns import TurnDraft, conversation_for, record_turns
from tests.fixtures import add_turn, agent_of

API_KEY = "sk-proj-abcdefghijklmnop1234567890"
NO_ZONE = datetime(2026, 3, 1)  # noqa: DTZ001 - what is refused


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
    first, second = record(as_alice, "I live in Leeds.", "I live in Leeds.", key="k")

    assert (first.is_repeat, second.is_repeat) == (False, True)
    assert second.turn.pk == first.turn.pk
    assert [fact.pk for fact in second.facts] == [fact.pk for fact in first.facts]


def test_turn_sent_again_gives_the_facts_that_it_gave_first_also_when_they_were_known(as_alice):
    record(as_alice, "I live in Leeds.")

    first, again = record(as_alice, "I live in Leeds.", "I live in Leeds.", key="k")

    assert (again.is_repeat, again.turn.pk) == (True, first.turn.pk)
    assert [fact.pk for fact in again.facts] == [fact.pk for fact in first.facts]
    assert len(again.facts) == 1
    assert FactUsage.objects.get().repeat_count == 1


def test_each_time_that_a_fact_is_said_again_in_one_list_is_counted(as_alice):
    record(as_alice, *["I live in Leeds."] * 4)

    assert FactUsage.objects.get().repeat_count == 3


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


@pytest.mark.parametrize(
    "text", ["My visa is valid until 9999-12-31.", "[9999-12-31] I live in Leeds."]
)
def test_turn_that_names_a_date_no_row_holds_gives_its_fact_without_that_date(as_alice, text):
    (recorded,) = record(as_alice, text)

    (fact,) = recorded.facts
    assert (recorded.turn.skipped, fact.valid_from, fact.expires_at) == ("", None, None)
    assert fact.source_date == recorded.turn.observed_at


@pytest.mark.parametrize(
    "observed_at", [datetime.max.replace(tzinfo=UTC), NO_ZONE], ids=["late", "naive"]
)
def test_turn_of_a_moment_that_no_row_holds_is_refused(as_alice, observed_at):
    talk = conversation_for(as_alice, "talk")
    draft = TurnDraft(text="Hello", role="user", observed_at=observed_at)

    with pytest.raises(InvalidInput) as refusal:
        record_turns(
            principal=as_alice, turns=[(talk, Scope.objects.for_user(as_alice.user), draft)]
        )

    assert refusal.value.field == "observed_at"
    assert not Turn.objects.exists()


def test_secret_in_the_name_of_the_speaker_is_masked_and_not_found(as_alice):
    talk = conversation_for(as_alice, "talk")
    draft = TurnDraft(text="Hello there.", role="user", speaker=f"Ana token={API_KEY}")
    scope = Scope.objects.for_user(as_alice.user)

    record_turns(principal=as_alice, turns=[(talk, scope, draft)])

    turn = Turn.objects.get()
    assert turn.speaker == "Ana token=[secret: API key]"
    assert "abcdefghijklmnop" not in turn.search


def test_key_that_holds_a_secret_is_refused_and_nothing_is_stored(as_alice):
    with pytest.raises(InvalidInput, match="holds a secret") as refusal:
        record(as_alice, "Hello there.", key=API_KEY)

    assert refusal.value.field == "key"
    assert not Turn.objects.exists()


def test_conversation_whose_key_holds_a_secret_is_refused_and_not_made(as_alice):
    with pytest.raises(InvalidInput, match="holds a secret") as refusal:
        conversation_for(as_alice, f"run {API_KEY}")

    assert refusal.value.field == "conversation"
    assert not Conversation.objects.exists()


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


@pytest.mark.parametrize(
    "text",
    [
        "[secret: key]my password is hunter2abc",
        "password: [secret: mine] hunter2abc",
        "my password is [secret: password]hunter2abc",
    ],
)
def test_mask_written_by_hand_hides_no_secret_of_a_turn(alice, text):
    turn = add_turn(alice, text)

    with acting_as(Principal(alice)):
        assert "hunter2abc" not in str(Turn.objects.filter(pk=turn.pk).values())


def test_speaker_that_is_the_name_of_a_secret_masks_it(alice):
    principal = Principal(alice)
    with acting_as(principal):
        talk, scope = conversation_for(principal, "talk"), Scope.objects.for_user(alice)
        draft = TurnDraft(text="hunter2abc", role="user", speaker="Password")

        record_turns(principal=principal, turns=[(talk, scope, draft)])

        assert Turn.objects.get().text == "[secret: password]"
