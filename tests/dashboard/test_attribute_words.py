"""Reserved attributes, as people read them."""

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.attribute_words import ELSEWHERE, LABELS, attributes_in_words
from memory.domain.attributes import _RESERVED, COLUMNS

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("name", "value", "label", "words"),
    [
        ("people", ["Ines", "Tomasz Reyl"], "People", "Ines, Tomasz Reyl"),
        ("locations", ["Porto"], "Places", "Porto"),
        ("topics", ["health", "food"], "Topics", "health, food"),
        ("commitment", True, "Promise", "somebody committed to it"),
        ("contradiction_flag", True, "Contradicted", "another memory says otherwise"),
        ("salience", 0.7, "Salience", "0.70"),
        ("followup_attempts", 2, "Follow-ups", "2"),
        ("activate_at", "2026-12-01T00:00:00+00:00", "In use from", "1 December 2026"),
        ("x-mood", {"a": 1}, "x-mood", '{"a": 1}'),
    ],
)
def test_attribute_is_told_in_words(name: str, value: object, label: str, words: str) -> None:
    with timezone.override("UTC"):
        (told,) = attributes_in_words({name: value})

    assert (told.label, told.words) == (label, words)


@pytest.mark.parametrize("value", [None, "", [], {}, False])
def test_attribute_that_holds_nothing_is_left_out(value: object) -> None:
    assert attributes_in_words({"commitment": value}) == []


def test_attributes_come_in_one_order_whoever_stored_them() -> None:
    told = attributes_in_words({"x-b": 1, "topics": ["food"], "x-a": 1, "people": ["Ines"]})

    assert [each.label for each in told] == ["People", "Topics", "x-a", "x-b"]


def test_every_reserved_attribute_has_a_label_of_its_own() -> None:
    assert {*_RESERVED, *COLUMNS} - ELSEWHERE <= LABELS.keys()


def test_every_label_is_told_once() -> None:
    assert len(set(LABELS.values())) == len(LABELS)


@given(st.dictionaries(st.sampled_from(sorted(LABELS)) | st.text(max_size=8), VALUES, max_size=4))
def test_whatever_is_stored_can_be_told(attributes: dict[str, object]) -> None:
    with timezone.override("Pacific/Kiritimati"):
        assert all(each.words is not None for each in attributes_in_words(attributes))
