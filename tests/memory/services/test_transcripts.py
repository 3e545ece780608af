"""Keeping transcripts: what is foreseen is what is stored, and the same one is stored once."""

from datetime import UTC, date, datetime, timedelta

import pytest

from memory.domain.classifier.decision import is_in_doubt
from memory.domain.errors import InvalidInput
from memory.domain.perceptor import perceive
from memory.domain.transcripts import read_transcript
from memory.models import Conversation, Fact, Principal, Scope, Turn
from memory.services import transcripts
from memory.services.classifying import classify_waiting
from memory.services.transcripts import (
    Keeping,
    foresee,
    keep_transcript,
    stored_conversation,
    title_of,
)
from tests.fixtures import agent_of, remember

SAID_AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
TALK = "Mara: I live in York.\nquill: Noted.\nMara: I prefer trains to planes."


def keeping(text=TALK, **fields):
    transcript = read_transcript(text, zone=UTC, today=date(2026, 11, 30))
    return Keeping(**{"transcript": transcript, "person": "Mara", "said_at": SAID_AT} | fields)


def keep(principal, text=TALK, **fields):
    return keep_transcript(principal=principal, keeping=keeping(text, **fields))


def test_transcript_is_stored_as_a_conversation_with_what_it_gave(as_alice):
    kept = keep(as_alice)

    turns = list(Turn.objects.oldest_first())
    assert [(turn.role, turn.speaker, turn.text) for turn in turns] == [
        ("user", "Mara", "I live in York."),
        ("assistant", "quill", "Noted."),
        ("user", "Mara", "I prefer trains to planes."),
    ]
    assert {turn.conversation_id for turn in turns} == {kept.conversation.pk}
    assert (kept.turns, kept.facts, kept.is_repeat) == (3, 2, False)
    assert {fact.turn_id for fact in Fact.objects.all()} == {turns[0].pk, turns[2].pk}


def test_what_is_foreseen_is_what_is_stored(as_alice):
    foreseen = foresee(as_alice, keeping())

    assert Turn.objects.count() == Fact.objects.count() == Conversation.objects.count() == 0
    keep(as_alice)
    texts = [record.text for each in foreseen for record in each.perception.records]
    assert sorted(texts) == sorted(Fact.objects.values_list("text", flat=True))
    assert [each.draft.text for each in foreseen] == [
        turn.text for turn in Turn.objects.oldest_first()
    ]


def test_what_is_known_already_is_foreseen_as_known(as_alice, alice):
    remember(alice, "I live in York")

    foreseen = foresee(as_alice, keeping(f"{TALK}\nMara: I prefer trains to planes."))

    assert [len(each.known) for each in foreseen] == [1, 0, 0, 1]


def test_what_is_known_elsewhere_is_new_to_another_scope(as_alice, alice):
    remember(alice, "I live in York.")

    foreseen = foresee(as_alice, keeping(scope_kind="session"))

    assert [each.known for each in foreseen] == [frozenset()] * 3


def test_secrets_are_masked_before_anything_is_shown(as_alice):
    (foreseen,) = foresee(as_alice, keeping("Mara: My key is sk-proj-abcdefghijklmnop1234567890."))

    assert foreseen.draft.text == "My key is [secret: API key]."
    assert foreseen.secrets == 1


def test_transcript_kept_again_adds_nothing(as_alice):
    first = keep(as_alice)

    again = keep(as_alice, TALK.replace("\n", "\r\n"), title="Another", person="quill")

    assert (again.conversation, again.turns, again.is_repeat) == (first.conversation, 0, True)
    assert Turn.objects.count() == 3
    assert stored_conversation(as_alice, keeping()) == first.conversation


def test_transcript_whose_keeping_broke_off_is_completed(as_alice):
    first = keep(as_alice)
    Turn.objects.oldest_first().last().delete()

    again = keep(as_alice)

    assert (again.conversation, again.turns, again.is_repeat) == (first.conversation, 1, False)
    assert Turn.objects.count() == 3


def test_transcript_that_broke_off_is_not_completed_with_somebody_else_as_the_person(as_alice):
    kept = keep(as_alice)
    Turn.objects.filter(key="00002").delete()

    with pytest.raises(InvalidInput, match="somebody else as you") as refusal:
        keep(as_alice, person="quill")

    assert refusal.value.field == "person"
    assert Turn.objects.filter(conversation=kept.conversation).count() == 2


def test_transcript_for_other_readers_is_another_conversation(as_alice):
    first, second = keep(as_alice), keep(as_alice, scope_kind="session")

    assert first.conversation != second.conversation
    assert {turn.scope.kind for turn in Turn.objects.all()} == {"user", "session"}


def test_transcript_with_an_agent_is_that_agents_conversation(as_alice, alice):
    quill = agent_of(alice, "quill")

    kept = keep(as_alice, agent=quill, scope_kind="agent")

    assert kept.conversation.agent == quill
    scope = Scope.objects.for_agent(quill)
    assert set(Principal(alice, quill).scopes()) >= {scope.pk}
    assert Conversation.objects.visible_to(Principal(alice, quill)).get() == kept.conversation


def test_bob_keeps_the_same_transcript_for_himself(as_alice, bob):
    keep(as_alice)

    assert stored_conversation(Principal(bob), keeping()) is None


def test_turns_without_a_time_are_of_the_turn_before_them(as_alice):
    text = "Mara: One.\n[2026-01-15 10:22] Mara: Two.\n[2026-01-15 10:23] quill: Three."

    keep(as_alice, text)

    moments = [turn.observed_at for turn in Turn.objects.oldest_first()]
    start = datetime(2026, 1, 15, 10, 22, tzinfo=UTC)
    assert moments == [start, start, start + timedelta(minutes=1)]


def test_turns_without_any_time_are_of_the_day_that_was_given(as_alice):
    keep(as_alice)

    assert set(Turn.objects.values_list("observed_at", flat=True)) == {SAID_AT}
    assert [turn.text[:7] for turn in Turn.objects.oldest_first()] == [
        "I live ",
        "Noted.",
        "I prefe",
    ]


def test_long_transcript_is_stored_in_several_transactions(as_alice):
    text = "\n".join(f"quill: Step {number}." for number in range(502))

    assert keep(as_alice, text).turns == 502


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("", "Mara, quill"),
        ("  Release \n talk ", "Release talk"),
        ("password: hunter2!", "password: [secret: password]"),
    ],
)
def test_title_is_the_given_one_or_who_speaks(title, shown):
    assert title_of(keeping(title=title)) == shown


def test_transcript_for_an_agent_that_is_not_named_is_refused(as_alice):
    with pytest.raises(InvalidInput, match="agent"):
        keep(as_alice, scope_kind="agent")

    assert Conversation.objects.count() == 0


DOUBTFUL = (
    *("Ana brought the ladder back.", "The kettle in the kitchen is broken again."),
    *("We might go to the lake on Sunday.", "Tom said the roof leaks near the chimney."),
    *("The new office has a garden.", "Das Büro hat jetzt einen Garten.", "新办公室有一个花园。"),
)


def kept_after_all():
    rows = Fact.objects.active().values_list("text", "kind", "importance")
    return sorted(rows)


def told(foreseen):
    records = [record for each in foreseen for record in each.perception.records]
    return sorted((record.text, record.kind, record.importance) for record in records)


def test_what_the_classifier_will_keep_is_foreseen_too(as_alice):
    text = "\n".join(f"Mara: {each}" for each in (*DOUBTFUL, "I live in York."))

    foreseen = foresee(as_alice, keeping(text))

    keep(as_alice, text)
    assert Turn.objects.in_doubt().exists()
    classify_waiting()
    assert told(foreseen) == kept_after_all()
    assert all(each.is_decided for each in foreseen)


def test_foreseeing_stops_to_ask_the_classifier_in_time_and_says_where(as_alice, monkeypatch):
    monkeypatch.setattr(transcripts, "MOST_DECIDED", 2)
    text = "\n".join(f"Mara: {each}" for each in DOUBTFUL)
    doubts = [each for each in DOUBTFUL if is_in_doubt(perceive(each, "user", SAID_AT))]

    foreseen = foresee(as_alice, keeping(text))

    assert len(doubts) > 2
    open_ones = [each.draft.text for each in foreseen if not each.is_decided]
    assert open_ones == doubts[2:]
