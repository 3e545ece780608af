import os
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.capture import load_cases, measure, run_case
from memory.domain import perceptor
from memory.domain.fields import BUILT_IN_CATEGORIES, Kind
from memory.domain.perceptor import SignalKind, perceive
from memory.domain.perceptor.language import (
    Facet,
    Modifier,
    Noise,
    Pattern,
    Shape,
    fold,
    languages,
    load_language,
    read_language,
)
from memory.domain.perceptor.pipeline import HEAD_CHARACTERS, MAX_RECORDS, TAIL_CHARACTERS

CASES = os.environ.get("LONGHAND_CASES")
FOLDER = Path(perceptor.__file__).parent / "languages"
FRIDAY = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)


def examples(polarity):
    for path in sorted(FOLDER.glob("*.toml")):
        for section, entries in read_language(path).items():
            if isinstance(entries, list) and entries and isinstance(entries[0], dict):
                for entry in entries:
                    for text in entry[polarity]:
                        name = f"{path.stem}-{section}-{entry['id']}-{text}"
                        yield pytest.param(path.stem, section, entry["id"], text, id=name)


def pattern_of(code, section, pattern_id):
    language = next(language for language in languages() if language.code == code)
    sections = {
        **{kind.value: found for kind, found in language.detectors.items()},
        "statement": language.statements,
        "noise": language.noise,
        "modifier": language.modifiers,
        "shape": language.shapes,
        "importance": language.importance,
        "facet": language.facets,
    }
    for entry in sections[section]:
        pattern = entry if isinstance(entry, Pattern) else entry.pattern
        if pattern.id == pattern_id:
            return pattern
    raise AssertionError(f"{section} {pattern_id} was not loaded")


def first(text, **kwargs):
    perception = perceive(text, **kwargs)
    assert perception.records, perception.skipped
    return perception.records[0]


@pytest.mark.parametrize(("code", "section", "pattern_id", "text"), list(examples("positive")))
def test_pattern_matches_its_positive_example(code, section, pattern_id, text):
    assert pattern_of(code, section, pattern_id).search(fold(text)) is not None


@pytest.mark.parametrize(("code", "section", "pattern_id", "text"), list(examples("negative")))
def test_pattern_leaves_its_negative_example(code, section, pattern_id, text):
    assert pattern_of(code, section, pattern_id).search(fold(text)) is None


def test_patterns_are_bounded_and_have_unique_ids_and_examples():
    for path in sorted(FOLDER.glob("*.toml")):
        for section, entries in read_language(path).items():
            if not isinstance(entries, list) or not isinstance(entries[0], dict):
                continue
            ids = [entry["id"] for entry in entries]
            assert len(ids) == len(set(ids)), section
            for entry in entries:
                bare = re.sub(r"\\.|\[[^\]]*\]", "_", entry["pattern"])
                assert re.search(r"\.[*+]|\)[*+]", bare) is None, entry["id"]
                assert entry["positive"], entry["id"]


def test_language_file_uses_known_categories_and_keeps_confidence_in_range():
    for language in languages():
        detectors = [p for patterns in language.detectors.values() for p in patterns]
        assert all(0.5 <= pattern.confidence <= 1 for pattern in detectors)
        assert all(0 < pattern.confidence < 1 for pattern in language.statements)
        assert {shape.category for shape in language.shapes} <= set(BUILT_IN_CATEGORIES)
        assert all(isinstance(noise, Noise) and noise.pattern.reason for noise in language.noise)
        assert all(isinstance(entry, Modifier) for entry in language.modifiers)
        assert all(isinstance(entry, Shape) for entry in language.shapes)
        assert all(isinstance(entry, Facet) for entry in language.facets)


def test_language_needs_only_a_data_file(tmp_path):
    english = (FOLDER / "en.toml").read_text("utf-8")
    path = tmp_path / "xx.toml"
    path.write_text(english.replace('language = "en"', 'language = "xx"'), "utf-8")

    assert load_language(path).code == "xx"


@pytest.mark.parametrize(
    ("text", "signal", "kind"),
    [
        ("Sorry, I gave you the wrong date.", SignalKind.CORRECTION, Kind.FACT),
        ("Never email me on Sundays", SignalKind.RULE, Kind.RULE),
        ("Whenever I type 'eod', list my open tasks.", SignalKind.RULE, Kind.REFLEX),
        ("I can't bear liquorice sweets", SignalKind.PREFERENCE, Kind.IMPRESSION),
        ("Please remember that my desk is on floor 3", SignalKind.MEMORY_REQUEST, Kind.FACT),
        ("I'll send Ana the draft on Friday", SignalKind.TIME_COMMITMENT, Kind.PLAN),
        ("I live in Porto and work as a nurse", SignalKind.IDENTITY, Kind.FACT),
        ("please call me Fitz", SignalKind.IDENTITY, Kind.ENTITY),
    ],
)
def test_perceive_finds_the_signal_and_shape(text, signal, kind):
    perception = perceive(text)

    assert perception.skipped is None
    assert signal in {found.kind for found in perception.signals}
    assert perception.records[0].kind is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Our tenant gets a discount of 120 euros a month", Kind.FACT),
        ("We opened the stall on Monday", Kind.EVENT),
        ("new tutor = Ilka Brandvold. starts monday", Kind.ENTITY),
        ("If the barn is sold in May, I'll buy two horses.", Kind.PLAN),
        ("According to Omar, the chef hates being filmed at work.", Kind.IMPRESSION),
    ],
)
def test_perceive_keeps_a_plain_statement_without_signal(text, kind):
    record = first(text)

    assert record.signals == ()
    assert record.kind is kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hiya, good afternoon!", "a greeting"),
        ("What's the tallest tree?", "a question, not a statement"),
        ("def never_sleep(queue):\n    return queue.pop()", "code, not a statement"),
        ("```\nnever push to main\n```", "code, not a statement"),
        ("[ERROR] mailer must be restarted before noon", "a log, not a statement"),
        ("<memory>Never whistle indoors</memory>", "markup, not a statement"),
        ("[tool output] 2 rows:\n- I live in Rome", "tool output, not a statement"),
        ("remember my key sk-FAKE0fake0FAKE0fake0", "it holds a secret"),
        ("please remember that my bank pin is 0000", "it holds a secret"),
        ("my seed phrase is apple river stone cloud", "it holds a secret"),
        ("If I were a teapot I'd whistle all day.", "small talk"),
        ("", "an empty message"),
        ("12345", "no words of a known language"),
        ("Blue ideas", "nothing in it looked worth keeping"),
    ],
)
def test_perceive_says_why_nothing_is_kept(text, reason):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.signals == ()
    assert perception.skipped == reason


def test_perceive_names_the_nearest_signal_when_none_is_strong_enough():
    perception = perceive("Maybe I prefer tea")

    assert perception.records == ()
    assert perception.skipped == (
        "no signal was strong enough: preference 0.48, "
        "says what the user likes or dislikes, hedged by “might”"
    )


@pytest.mark.parametrize(
    "text",
    [
        "I do not like video calls",
        "We no longer order from Bakery Sol",
        "I can not stand loud offices",
        "It is not that I dislike cats, my sister is allergic to them",
        "I'm not vegetarian",
    ],
)
def test_perceive_keeps_the_negation_in_the_words(text):
    assert first(text).text == text


def test_perceive_keeps_only_the_sentence_that_carries_the_signal():
    text = "haha that was fun. Never book me on the 6am flight! How tall are you?"

    perception = perceive(text)

    assert [record.text for record in perception.records] == [
        "Never book me on the 6am flight!",
    ]
    record = perception.records[0]
    assert text[record.start : record.end] == record.text


def test_perceive_does_not_cut_at_an_abbreviation():
    text = "Please note that the piano tuner is Mr. Otto Quist at Mill Street."

    assert first(text).text == text


def test_perceive_joins_scraps_of_one_message():
    text = "paint store -> locked for visitors. no exceptions. ever"

    assert first(text).text == text


def test_perceive_reads_a_polite_request_though_it_ends_with_a_question_mark():
    assert first("Could you remember that I take oat milk?").kind is Kind.FACT
    assert perceive("Can you remember how the song went?").records == ()


def test_perceive_ignores_a_fenced_block_and_keeps_the_words_around_it():
    perception = perceive("Never run this on prod:\n```\nrm -rf always\n```\n")

    assert [record.text for record in perception.records] == ["Never run this on prod:"]


def test_perceive_keeps_nothing_of_system_and_tool_turns():
    assert perceive("Never email me", role="system").skipped == "a system prompt"
    assert perceive("Never email me", role="tool").skipped == "tool output"
    assert perceive("Never email me", role="robot").skipped == "the unknown role “robot”"


def test_perceive_counts_the_assistant_less():
    assert perceive("I love long walks by the sea", role="assistant").records == ()
    assert perceive("I love long walks by the sea").records != ()


def test_perceive_gives_at_most_three_records_the_surest_first_in_order_of_the_text():
    text = (
        "I like tea. Please remember that I'm allergic to nuts. Never call me before ten. "
        "I live in Porto. My name is Ana."
    )

    records = perceive(text).records

    assert len(records) == MAX_RECORDS
    assert [record.start for record in records] == sorted(record.start for record in records)
    assert "Please remember that I'm allergic to nuts." in {record.text for record in records}


def test_perceive_raises_importance_for_safety():
    assert first("I'm allergic to penicillin").importance > first("I live in Porto").importance


def test_perceive_halves_a_reported_preference():
    perception = perceive("My boss says I always hate meetings, according to Omar")

    assert SignalKind.PREFERENCE not in {signal.kind for signal in perception.signals}


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("please call me Fitz", "name", "Fitz"),
        ("I live in Porto now", "home", "Porto"),
        ("I work for Mill Street Clinic", "employer", "Mill Street Clinic"),
        ("I'm allergic to penicillin", "allergy", "penicillin"),
    ],
)
def test_perceive_fills_entity_key_and_value(text, key, value):
    record = first(text)

    assert (record.entity, record.key, record.value) == ("user", key, value)


def test_perceive_reads_a_leading_date_as_the_source_date_and_strips_it():
    text = "[2026-01-15] We met the new landlord yesterday"

    record = first(text, observed_at=FRIDAY)

    assert record.text == "We met the new landlord yesterday"
    assert record.source_date == datetime(2026, 1, 15, tzinfo=UTC)
    assert record.valid_from == datetime(2026, 1, 14, tzinfo=UTC)
    assert text[record.start : record.end] == record.text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I'm flying to Oslo tomorrow", (2026, 5, 16)),
        ("I have to send the draft on Monday", (2026, 5, 18)),
        ("I'm seeing the dentist on Friday", (2026, 5, 22)),
        ("I'm sailing home on 14 June", (2026, 6, 14)),
        ("I need to file it by 2026-07-01", (2026, 7, 1)),
        ("I'll be in Leeds on February 2nd", (2026, 2, 2)),
    ],
)
def test_perceive_protects_a_plan_until_its_day(text, day):
    record = first(text, observed_at=FRIDAY)

    assert record.kind is Kind.PLAN
    assert record.freeze_until == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [("We opened the stall on Monday", 11), ("My sister moved out yesterday", 14)],
)
def test_perceive_dates_an_event_in_the_past(text, day):
    assert first(text, observed_at=FRIDAY).valid_from == datetime(2026, 5, day, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["My contract ends on 03/04/2032", "My sister got married on 31 February"]
)
def test_perceive_invents_no_date_when_it_is_ambiguous_or_impossible(text):
    record = first(text, observed_at=FRIDAY)

    assert record.valid_from is None
    assert record.freeze_until is None


def test_perceive_counts_days_in_the_speakers_zone():
    new_york = timezone(timedelta(hours=-5))
    observed_at = datetime(2031, 12, 31, 23, 30, tzinfo=new_york)

    record = first("I have the dentist tomorrow at 9", observed_at=observed_at)

    assert record.freeze_until == datetime(2032, 1, 1, tzinfo=new_york)


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

    assert perceive(text) == perceive(text)


@pytest.mark.skipif(CASES is None, reason="LONGHAND_CASES is unset: no labelled set to measure on")
def test_perceive_meets_the_capture_targets_in_english():
    cases = load_cases(Path(CASES or "").parent / "bench" / "capture_dev.jsonl")
    english = [case for case in cases if case["lang"] == "en"]

    report = measure("en", [run_case(case) for case in english])

    assert report.recall >= 0.6
    assert report.false_capture <= 0.15
    kept = ("greeting", "question", "code", "log", "secret")
    assert [report.stored_noise[kind] for kind in kept] == [0] * len(kept)
