"""What a text must hold for a pattern to match, and that no match is ever lost by it."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain import perceptor
from memory.domain.perceptor.literals import (
    CAPITAL,
    DIGIT,
    Needs,
    Template,
    alternatives,
    cue,
    spaced,
)
from memory.domain.perceptor.loading import lexicon
from memory.domain.perceptor.patterns import Pattern, fold
from memory.domain.perceptor.prefilter import CueSets, Entries, Prefilter

NO_WORD = r"\W"
FOLDER = Path(perceptor.__file__).parent / "languages"


def needs(regex, lists=None):
    return [set(words) for words in Template(regex).needs(lists or {}).all_sets]


def pattern(regex, cues=CueSets()):  # noqa: B008 - one set for all of a test is what is meant
    template = Template(regex)
    need, rarest = cues.need(template.needs({}).all_sets)
    return Pattern(
        id=regex,
        source=regex,
        cues=(),
        confidence=1.0,
        reason="",
        keeps_case=False,
        survives_question=False,
        parts=((regex, template.is_anchored()),),
        need=need,
        rarest=rarest,
    )


@pytest.mark.parametrize(
    ("regex", "sets"),
    [
        (r"\bcall me\b", [{" call me "}]),
        (r"(?:tea|coffee) cups?", [{"tea cup", "tea cups", "coffee cup", "coffee cups"}]),
        (r"\bgate\b.{0,20}\bshut\b", [{" gate "}, {" shut "}]),
        (r"\b(?:gate|\d door)\b", [{"gate", " door"}]),
        (r"i'll", [{"i ll"}]),
        (r"\w{3,9}", []),
        (r"(?:tea)?", []),
        (r"\d{1,2} may", [{DIGIT}, {" may"}]),
        (r"[A-Z]\w", [{CAPITAL}]),
        (r"[£$€] ?", [{"£", "$", "€"}]),
        (r"不喜欢", [{"不喜欢"}]),
        (r"(?=.{0,9}tea)hot", [{"tea"}, {"hot"}]),
        (r"(?<!not )tea(?!pot)", [{"tea"}]),
        (r"(?:ha){2,4}", [{"haha", "hahaha", "hahahaha"}]),
    ],
)
def test_pattern_needs_the_words_that_each_match_holds(regex, sets):
    assert needs(regex) == sets


@pytest.mark.parametrize(
    ("regex", "further"),
    [
        (r"old gate.{0,9}shut|boat.{0,9}at sea", [{"shut", "boat"}]),
        (r"(?:gate.{0,9}shut|boat)s?", [{"shut", "boat"}]),
        (r"(?=.{0,9}(?:gate.{0,9}shut|boat))x", [{"shut", "boat"}]),
        (r"gate|boat", []),
        (r"gate.{0,9}shut", []),
    ],
)
def test_a_choice_needs_the_lesser_words_of_each_branch_too(regex, further):
    assert [set(words) for words in Template(regex).needs({}).further_sets] == further


def test_lesser_words_do_not_tell_of_which_language_a_text_is():
    cues = CueSets()

    need, _ = cues.need([frozenset(("gate",))], [frozenset(("shut", "boat"))])

    assert need.bit_count() == 2
    assert cues.telling.bit_count() == 1
    assert need & cues.telling == cues.telling


def test_a_word_list_is_read_once_and_stands_in_the_pattern_as_one_sign():
    lists = {"\ue000": Needs(frozenset(("tea", "milk")))}

    assert needs("\\bhot \ue000\\b", lists) == [{" hot tea ", " hot milk "}]
    assert needs("(?:\ue000|\ue000) cup", lists) == [{"tea cup", "milk cup"}]


@pytest.mark.parametrize(
    ("regex", "is_anchored"),
    [("^tea", True), ("(?:^a|^b)", True), ("^a|b", False), ("tea", False), ("(?!x)^y", True)],
)
def test_pattern_knows_whether_it_opens_at_the_start(regex, is_anchored):
    assert Template(regex).is_anchored() is is_anchored


@pytest.mark.parametrize(
    ("regex", "branches"),
    [
        ("a|b", ["a", "b"]),
        ("(?:a|b)|c", ["(?:a|b)", "c"]),
        (r"[|]|\||x", ["[|]", r"\|", "x"]),
        (r"a\(|b", [r"a\(", "b"]),
        ("", [""]),
    ],
)
def test_alternatives_are_cut_at_the_outermost_bars(regex, branches):
    assert alternatives(regex) == branches


def test_cue_keeps_the_most_telling_mark_of_marks_alone():
    assert cue("' ->") == ">"
    assert cue(": ") == ":"
    assert cue(DIGIT) == DIGIT


def test_spaced_text_has_a_space_wherever_no_word_is():
    assert spaced("i'll go.") == " i ll go  "


@given(st.text(max_size=40))
def test_any_text_is_spaced_in_one_way(text):
    assert spaced(text) == f" {re.sub(NO_WORD, ' ', text)} "


REGEXES = (
    r"\b(?:i|we)(?:'ll| will) (?:go|stay)\b",
    r"^\W{0,3}never\b",
    r"\btea\b.{0,9}\b(?:\d|cup)",
    r"[=:] ?x",
    r"不.?喜欢",
    r"\bno\b(?! more)",
    r"\btea\b.{0,9}\bgo\b|\bno\b.{0,9}\bcup\b|x",
    r"\w\W",
)
PIECES = [
    "i", "we", "'ll", " will", " go", " stay", "never", "tea", " ", "3", "cup", "=", "x", "不",
    "喜欢", "no", " more", ".", "\n", "é", "İ",
]  # fmt: skip
WORDS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@settings(deadline=None)
@given(WORDS)
def test_prefilter_loses_no_match(text):
    cues = CueSets()
    patterns = Entries((pattern(regex, cues) for regex in REGEXES), cues)
    folded = fold(text)

    passage = Prefilter(cues).scan(folded, 0).whole()

    assert passage.matching(patterns) == [each for each in patterns if each.search(folded)]


@settings(deadline=None)
@given(WORDS)
def test_sifted_entries_are_all_that_hold_what_they_need_in_their_order(text):
    cues = CueSets()
    sections = [Entries((pattern(each, cues) for each in part), cues) for part in SECTIONS]

    passage = Prefilter(cues).scan(fold(text), 0).whole()

    for section in sections:
        assert passage.sift(section) == [each for each in section if each.may_match(passage.cues)]


SECTIONS = (REGEXES[:4], (), REGEXES[4:], REGEXES[::-1])


def test_prefilter_tells_the_cues_of_each_stretch():
    cues = CueSets()
    gate, shut = pattern(r"\bgate\b", cues), pattern(r"\bshut\b", cues)
    text = "the gate. it is shut"

    scan = Prefilter(cues).scan(fold(text), 100)

    first, second = scan.passage(100, 109), scan.passage(110, 120)
    assert (first.finds(gate), first.finds(shut)) == (True, False)
    assert (second.finds(gate), second.finds(shut)) == (False, True)
    assert second.folded.lowered == "it is shut"


def test_every_english_pattern_without_a_word_it_needs_is_named_here():
    """Whatever is tried on every sentence makes each message dearer: keep the list short."""
    english = next(language for language in lexicon().languages if language.code == "en")
    sections = (*english.detectors.values(), *english.noise.values(), english.statements)
    entries = [entry for section in (*sections, english.modifiers) for entry in section]
    patterns = [entry if isinstance(entry, Pattern) else entry.pattern for entry in entries]

    assert {found.id for found in patterns if not found.need} == {"plain", "two-words"}
