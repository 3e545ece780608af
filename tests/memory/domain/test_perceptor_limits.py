"""What the rules leave alone: echoes, masks, emoji, pastes; and what they are in doubt of."""

import json
from pathlib import Path

import pytest

from memory.domain import classifier
from memory.domain.perceptor import perceive
from memory.domain.perceptor.detectors import NO_STATEMENT
from memory.domain.perceptor.loading import lexicon
from memory.domain.perceptor.noise import MAX_EMOJI, sentence_limits
from memory.domain.perceptor.patterns import fold
from memory.domain.perceptor.pipeline import HEAD_CHARACTERS, MAX_DOUBTS, PASTED_CHARACTERS
from memory.domain.perceptor.reading import Weights, read_passage
from memory.domain.perceptor.sentences import split_sentences


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


EXAMPLES = Path(classifier.__file__).parent / "examples"
LONGEST_SENTENCE = 600


@pytest.mark.parametrize("language", lexicon().languages, ids=lambda each: each.code)
def test_of_all_patterns_few_are_tried_on_a_message(language):
    lines = (EXAMPLES / f"more_{language.code}.jsonl").read_text("utf-8").splitlines()
    wholes = [lexicon().prefilter.scan(fold(json.loads(each)["text"]), 0).whole() for each in lines]
    sections = (*language.detectors.values(), *language.noise.values(), language.statements)

    tried = sum(len(whole.sift(section)) for whole in wholes for section in sections)

    assert 0 < tried < len(wholes) * sum(map(len, sections)) / 6


@pytest.mark.parametrize(
    "fragment", ["a", "我", "e\u0301", "🎉", "7", "word ", "我\n", "Ünt. ", "c = 3\n"]
)
def test_no_sentence_of_a_long_text_is_longer_than_the_longest(fragment):
    text = (fragment * HEAD_CHARACTERS)[:HEAD_CHARACTERS]

    sentences = split_sentences(text, 0, lexicon().languages)

    assert all(0 < len(each.text) <= LONGEST_SENTENCE for each in sentences)
    assert [text[each.start : each.end] for each in sentences] == [each.text for each in sentences]


@pytest.mark.parametrize("language", lexicon().languages, ids=lambda each: each.code)
def test_a_change_of_topic_is_found_wherever_what_it_needs_is_there(language):
    lines = (EXAMPLES / f"more_{language.code}.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(each)["text"] for each in lines]

    for text in texts:
        cues = lexicon().prefilter.scan(fold(text), 0).whole().cues
        assert split_sentences(text, 0, [language], cues) == split_sentences(text, 0, [language])


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [("abc 1", False), ("a1b2c3d", True), ("1_2_3", False), ("他是", True), ("他", False)],
)
def test_letters_are_counted_wherever_they_stand(text, is_kept):
    assert (sentence_limits(text) is None) is is_kept


@pytest.mark.parametrize(
    ("text", "has_signal"),
    [
        ("I really hate marzipan.", True),
        ("Never email me on Sundays.", True),
        ("My gate sticks.", False),
    ],
)
def test_clues_are_asked_only_of_what_has_no_signal(text, has_signal):
    english = [each for each in lexicon().languages if each.code == "en"]
    whole = lexicon().prefilter.scan(fold(text), 0).whole()

    read = read_passage(whole, text, english, Weights(1.0, 1.0))

    assert bool(read.signals) is has_signal
    assert (read.statement is NO_STATEMENT) is has_signal
