"""Categories by plain words: found as words, never as patterns."""

import time

import pytest

from memory.domain.errors import InvalidInput
from memory.domain.labels import MAX_PATTERNS, checked_patterns, label_of, telling

PATTERNS = {
    "recipe": ["oven", "sourdough starter", "c++ cake"],
    "garden": ["rose", "starter"],
    "travel": ["出差", "flight"],
}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Preheat the OVEN to 220", "recipe"),
        ("The oven's light is broken", "recipe"),
        ("Woven baskets", None),
        ("Prose about roses", None),
        ("My Sourdough\n starter is called Bo", "recipe"),
        ("The starter motor failed", "garden"),
        ("我下周要出差去上海", "travel"),
        ("(rose)", "garden"),
        ("A c++ cake", "recipe"),
        ("", None),
    ],
)
def test_label_is_that_of_the_longest_word_which_stands_in_the_text(text, label):
    assert label_of(text, PATTERNS) == label


def test_of_two_labels_with_one_word_the_first_by_name_is_taken():
    assert label_of("a rose", {"b": ["rose"], "a": ["rose"]}) == "a"


def test_words_are_folded_and_named_once():
    assert checked_patterns([" Oven ", "oven", "", "Sourdough   STARTER."]) == [
        "oven",
        "sourdough starter",
    ]


@pytest.mark.parametrize(
    ("patterns", "told"),
    [
        (["..."], "no letter"),
        (["x" * 65], "65 characters"),
        ([f"word{number}" for number in range(MAX_PATTERNS + 1)], "the limit is"),
    ],
)
def test_words_that_cannot_be_looked_for_are_refused(patterns, told):
    with pytest.raises(InvalidInput, match=told):
        checked_patterns(patterns)


COMMON = [
    "a",
    "I",
    " x ",
    "７",
    "é",
    "...a...",
    "the",
    "it is",
    "und",
    "not",
    "的",
    "是",
    "我们",
    "の",
]


@pytest.mark.parametrize("word", COMMON)
def test_word_that_stands_in_most_messages_is_refused_by_name(word):
    with pytest.raises(InvalidInput, match="stands in most messages") as refusal:
        checked_patterns(["oven", word])

    assert word.strip() in str(refusal.value)
    assert refusal.value.field == "patterns"


@pytest.mark.parametrize(
    "word",
    ["茶", "물", "c++", "f1", "r & d", "to do list", "vitamin c", "42", "我的茶", "ok computer"],
)
def test_short_word_that_tells_something_is_taken(word):
    assert checked_patterns([word]) == [word]
    assert telling([word]) == [word]


def test_common_words_that_were_taken_before_tell_nothing():
    assert telling(["oven", "a", "the", "的"]) == ["oven"]


def test_secret_is_no_word_to_look_for():
    assert "abcdefghij" not in str(checked_patterns(["sk-proj-abcdefghijklmnop1234567890"]))


@pytest.mark.parametrize("evil", ["(a+)+$", ".*.*.*.*x", "a|a|a", "[", "\\"])
def test_word_that_looks_like_a_pattern_is_taken_as_it_stands(evil):
    words = checked_patterns([f"z{evil}z"])
    began = time.perf_counter()

    assert label_of("a" * 4_000, {"label": words}) is None
    assert label_of(f"see z{evil}z here", {"label": words}) == "label"
    assert time.perf_counter() - began < 0.1
