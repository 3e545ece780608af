"""What holds of any message, however long or broken, and how much is found of a labelled set."""

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.perceptor import SignalKind, perceive
from memory.domain.perceptor.pipeline import HEAD_CHARACTERS, MAX_RECORDS, TAIL_CHARACTERS
from memory.domain.redaction import redact
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
        assert 0 < record.confidence <= 1
        assert 0 < record.kind_confidence <= 1
        assert record.reasons["kind"]
    kept = {record.start for record in perception.records}
    for doubt in perception.doubts:
        assert text[doubt.start : doubt.end] == doubt.text
        assert doubt.start not in kept
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


NASTY = [
    "a",
    " ",
    "\n",
    "(",
    "=",
    "word ",
    "I'll ",
    "never ",
    "my my ",
    "1 ",
    "'",
    '"x" ',
    "if when ",
    "on monday ",
    "- ",
    "Mr. A ",
    "I live in A, and I ",
    "\u4e0d\u559c\u6b22",
    "\u6211\u3002",
    "🎉",
    "\ud800",
    "İ",
    "`",
    "<a>",
    "no a. ",
    "a=b ",
    "\u2014",
]
# Far above what it takes, for the machine may be busy; what grows with the square is far beyond.
LONGEST_SECONDS = 0.5


@pytest.mark.parametrize("fragment", NASTY)
def test_perceive_is_quick_however_long_the_message(fragment):
    text = (fragment * 100_000)[:100_000]
    perceive(text)

    started = time.process_time()
    perceive(text)

    assert time.process_time() - started < LONGEST_SECONDS


@settings(deadline=None, max_examples=40)
@given(st.lists(WORDS, min_size=1, max_size=5).map("".join))
def test_perceive_of_any_repeated_words_is_quick(fragment):
    text = (fragment * 6_000)[:6_000]
    perceive(text)

    started = time.process_time()
    perceive(text)

    assert time.process_time() - started < LONGEST_SECONDS


@pytest.mark.skipif(CASES is None, reason="LONGHAND_CASES is unset: no labelled set to measure on")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_perceive_meets_the_capture_targets(lang):
    path = Path(CASES or "").parent / "bench" / "capture_dev.jsonl"
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    kept = [
        (case, bool(perceive(redact(case["text"]).text).records))
        for case in cases
        if case["lang"] == lang
    ]

    found = [is_kept for case, is_kept in kept if case["should_store"]]
    wrong = [is_kept for case, is_kept in kept if not case["should_store"]]
    assert sum(found) >= 0.92 * len(found) > 0
    assert sum(wrong) <= 0.05 * len(wrong)


RULES = [
    "All invoices must carry a purchase number",
    "Smoking is forbidden in the shed",
    "Guests are not allowed upstairs",
    "发票必须有采购号",
    "这里禁止抽烟",
    "不准上楼",
    "Rechnungen müssen eine Nummer haben",
    "Rauchen ist verboten",
    "Gäste dürfen nicht nach oben",
]
PREFERENCES = [
    "I don't like video calls",
    "I'd rather have tea",
    "I prefer short answers",
    "我不喜欢视频会议",
    "我宁可喝茶",
    "我更喜欢简短的回答",
    "Ich mag keine Videoanrufe",
    "Wir hätten das lieber schriftlich",
    "Ich bevorzuge kurze Antworten",
]
CORRECTIONS = [
    "No, that's wrong, it's Thursday",
    "Not blue but green please",
    "You had that wrong, I live in Leeds",
    "不对，是星期四",
    "不是周一是周二",
    "你记错了，我住在利兹",
    "Nein, das ist falsch, es ist Donnerstag",
    "nicht Montag, sondern Dienstag",
    "Das hast du falsch, ich wohne in Leeds",
]


@pytest.mark.parametrize(
    ("text", "kind", "floor"),
    [
        *((text, SignalKind.RULE, 0.90) for text in RULES),
        *((text, SignalKind.PREFERENCE, 0.85) for text in PREFERENCES),
        *((text, SignalKind.CORRECTION, 0.90) for text in CORRECTIONS),
    ],
)
def test_plain_wording_is_sure_without_any_model(text, kind, floor):
    """Hard rule 7 of the protocol: there is always a path by rules alone."""
    perception = perceive(text)

    assert max((s.confidence for s in perception.signals if s.kind is kind), default=0.0) >= floor
    assert perception.records
