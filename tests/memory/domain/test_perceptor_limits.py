"""What the rules leave alone: echoes, masks, emoji, pastes; and what they are in doubt of."""

import pytest

from memory.domain.perceptor import perceive
from memory.domain.perceptor.noise import MAX_EMOJI
from memory.domain.perceptor.pipeline import MAX_DOUBTS, PASTED_CHARACTERS


@pytest.mark.parametrize(
    "text",
    [
        "Known facts about the user:\n- likes tea\n- lives in Porto",
        "[memory] I live in Porto",
        "Memory: I live in Porto",
        "<memory>I live in Porto</memory>",
        "Relevant memories:\nI live in Porto\nMy name is Ana",
    ],
)
def test_echo_of_a_memory_is_no_memory(text):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.doubts == ()


def test_echo_ends_at_an_empty_line():
    text = "Known facts about the user:\n- likes tea\n\nI moved to Leeds"

    assert [record.text for record in perceive(text).records] == ["I moved to Leeds"]


def test_sentence_with_a_masked_secret_is_dropped_and_the_others_stay():
    perception = perceive("my password is [secret: password]. I live in Porto.")

    assert [record.text for record in perception.records] == ["I live in Porto."]
    assert perceive("remember [secret: API key] for me").skipped == "it holds a secret"
    assert perceive("remember [secret: API key] for me").doubts == ()


def test_what_only_looks_like_a_mask_hides_nothing():
    assert perceive("[secret: of the house] I live in Porto.").records != ()


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("I live in Porto " + "🎉" * MAX_EMOJI, True),
        ("Porto " + "🎉" * 6, False),
        ("👋👋👋👋", False),
        ("ok", False),
        ("no", False),
    ],
)
def test_hardly_a_word_or_mostly_emoji_gives_nothing(text, is_kept):
    assert bool(perceive(text).records) is is_kept


def test_bare_statements_of_a_paste_are_only_doubted():
    line = "The tenant may keep the meadow mown. "
    short, pasted = line, line * (PASTED_CHARACTERS // len(line) + 2)

    assert perceive("The blue gate sticks. ").records != ()
    assert perceive("The blue gate sticks. " * 80).records == ()
    assert len(perceive("The blue gate sticks. " * 80).doubts) == MAX_DOUBTS
    assert len(pasted) > PASTED_CHARACTERS > len(short)


def test_what_is_neither_kept_nor_dropped_is_in_doubt():
    perception = perceive("Maybe I prefer tea")

    (doubt,) = perception.doubts
    assert doubt.text == "Maybe I prefer tea"
    assert 0 < doubt.confidence < 0.5
    assert "preference" in doubt.reason
    assert doubt.record is not None
    assert doubt.record.text == doubt.text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hiya, good afternoon!", "a greeting"),
        ("What's the tallest tree?", "a question, not a statement"),
        ("please reword this so it sounds kind", "a task, not a statement"),
        ("write me a poem about the sea", "a task, not a statement"),
        ("Yes, every Tuesday.", "it means nothing on its own"),
        ("Weather for Exampletown: tomorrow light rain", "tool output, not a statement"),
        ("sshd[12]: closed by 10.0.0.1", "a log, not a statement"),
        ("rules:\n  - name: a\n    when: b", "code, not a statement"),
    ],
)
def test_what_is_dropped_for_good_leaves_no_doubt(text, reason):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.skipped == reason
    assert perception.doubts == ()
