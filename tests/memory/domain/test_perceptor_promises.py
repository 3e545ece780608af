"""What holds of any message, however long or broken, and how much is found of a labelled set."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.capture import load_cases, measure, run_case
from memory.domain.perceptor import perceive
from memory.domain.perceptor.pipeline import HEAD_CHARACTERS, MAX_RECORDS, TAIL_CHARACTERS
from tests.memory.domain.perceiving import FRIDAY, first

CASES = os.environ.get("LONGHAND_CASES")


def test_perceive_reads_only_the_head_and_the_tail_of_a_long_message():
    filler = "word " * 2_000
    middle = filler + ". Never email me on Sundays. " + filler
    tail = filler + ". Never email me on Sundays."

    assert perceive(middle).records == ()
    assert perceive(tail).records[0].text == "Never email me on Sundays."
    assert len(middle) > HEAD_CHARACTERS + TAIL_CHARACTERS


def test_perceive_cuts_a_sentence_that_runs_on():
    text = "and so on, " * 100 + "I really hate marzipan, " + "and more, " * 100

    assert all(len(record.text) <= 600 for record in perceive(text).records)
    assert "hate marzipan" in first(text).text


WORDS = st.sampled_from(
    [
        "I'll ", "never ", "remember ", "my ", "sister ", "hate ", "if ", ", ", ". ", "?", "!",
        "tomorrow ", "on Monday ", "[2026-01-15]", "[2026-99-99] ", "```", "<a>", "{", "=", "\n",
        "actually ", "not ", "I'm ", "Dr. ", "é", "\u0130", "\ud800", "\x00", "我不喜欢", "。",
        "14 June ", "'x' = ",
    ]
)  # fmt: skip


MESSAGES = st.one_of(
    st.text(alphabet=st.characters(), max_size=200),
    st.lists(WORDS, max_size=40).map("".join),
)


@settings(deadline=None)
@given(MESSAGES, st.sampled_from(["user", "assistant"]), st.sampled_from([None, FRIDAY]))
def test_perceive_never_raises_and_keeps_its_promises(text, role, observed_at):
    perception = perceive(text, role, observed_at)

    assert perceive(text, role, observed_at) == perception
    assert (perception.skipped is None) == bool(perception.records)
    assert len(perception.records) <= MAX_RECORDS
    for record in perception.records:
        assert text[record.start : record.end] == record.text
        assert record.text.strip() == record.text != ""
        assert 1 <= record.importance <= 10
        assert 0.5 <= record.confidence <= 1
    for signal in perception.signals:
        assert 0 <= signal.start <= signal.end <= len(text)
        assert signal.reason


@settings(deadline=None, max_examples=25)
@given(st.lists(WORDS, min_size=1, max_size=4).map("".join))
def test_perceive_bears_a_repeated_fragment(fragment):
    text = (fragment * 6_000)[:6_000]

    perception = perceive(text)

    assert (perception.skipped is None) == bool(perception.records)
    assert all(text[each.start : each.end] == each.text for each in perception.records)
    assert perceive(text) == perception


@pytest.mark.skipif(CASES is None, reason="LONGHAND_CASES is unset: no labelled set to measure on")
def test_perceive_meets_the_capture_targets_in_english():
    cases = load_cases(Path(CASES or "").parent / "bench" / "capture_dev.jsonl")
    english = [case for case in cases if case["lang"] == "en"]

    report = measure("en", [run_case(case) for case in english])

    assert report.recall >= 0.6
    assert report.false_capture <= 0.15
    kept = ("greeting", "question", "code", "log", "secret")
    assert [report.stored_noise[kind] for kind in kept] == [0] * len(kept)
