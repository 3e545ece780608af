"""The numbers that the protocol fixes."""

import pytest

from memory.domain.protocol import clamped_importance, default_confidence, token_count


@pytest.mark.parametrize(
    ("domains", "confidence"),
    [
        (["personal"], 0.5),
        (["work"], 0.3),
        (["Health"], 0.1),
        (["legal"], 0.1),
        (["personal", "health"], 0.1),
        (["cooking"], 0.3),
        ([], 0.3),
    ],
)
def test_confidence_that_is_missing_is_that_of_the_most_careful_domain(domains, confidence):
    assert default_confidence(domains) == confidence


@pytest.mark.parametrize(("given", "kept"), [(-3, 1), (0, 1), (1, 1), (10, 10), (99, 10)])
def test_importance_is_clamped_to_its_range(given, kept):
    assert clamped_importance(given) == kept


def test_tokens_are_four_letters_or_one_sign_of_another_script():
    assert token_count("a" * 200) == 50
    assert token_count("字" * 50) == 50
