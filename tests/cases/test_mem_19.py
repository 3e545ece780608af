"""What is denied is stored as denied: the words keep the negation, and so does the value."""

import pytest

from memory.domain.perceptor import perceive
from tests.cases.handed import handed

CASES = handed("MEM-19_negation.json")
NEGATIONS = ("not", "n't", "never", "no longer", "can not", "don't")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_stored_sentence_keeps_its_negation(case):
    perception = perceive(case["text"])

    assert perception.records, perception.skipped
    for record in perception.records:
        assert record.text == case["text"]
        assert any(word in record.text.lower() for word in NEGATIONS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_value_never_says_the_opposite(case):
    for record in perceive(case["text"]).records:
        if case["polarity"] == "negative":
            assert record.value in ("", "disliked", "never")
        elif case["polarity"] == "neutral_or_positive":
            assert record.value in ("", "liked", "not minded")
        else:
            assert record.value == ""
        assert not record.critical
