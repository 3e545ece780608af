"""What two sentences have in common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.wording import folded, holds, wording_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Leeds", " leeds. "),
        ("Jürgen Mößner", "JÜRGEN MÖSSNER"),
        ("555  0199", "555 0199"),
        ("ＡＢＣ", "abc"),
        ("“Fitz”", "fitz"),
    ],
)
def test_values_that_differ_in_case_spacing_width_or_edges_are_the_same(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("text", "words", "is_held"),
    [
        ("The meeting is at 3", "3", True),
        ("The meeting is at 30", "3", False),
        ("The meeting is at 13", "3", False),
        ("My cat is called Max.", "max", True),
        ("A maximum of two", "max", False),
        ("会议四点开始", "四点", True),
        ("New York is far", "new york", True),
        ("anything", "", False),
        ("a3 b3 3", "3", True),
    ],
)
def test_words_are_held_as_words_of_their_own(text, words, is_held):
    assert holds(text, words) is is_held


def test_wording_has_content_words_numbers_and_denial():
    wording = wording_of("No, I don't pay 1,200 for Tamsin's two rooms")

    assert wording.words == {"pay", "tamsin", "two", "room"}
    assert wording.numbers == ("1,200",)
    assert wording.denies


@pytest.mark.parametrize(
    "text", ["I never eat meat", "I can't swim", "Ich esse kein Fleisch", "我不喝咖啡", "没有猫"]
)
def test_denial_is_told_in_every_language(text):
    assert wording_of(text).denies


@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_has_a_wording_and_may_be_looked_for(text, words):
    assert wording_of(text) == wording_of(text)
    assert isinstance(holds(text, words), bool)
