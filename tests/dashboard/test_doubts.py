"""What was neither kept nor dropped."""

from typing import Any

import pytest

from dashboard.doubts import Unsure, unsaid, unsure_in, unsure_of
from memory.domain.perceptor import Doubt


def stored(**given: Any) -> dict[str, Any]:
    return {
        "text": "We might", "start": 0, "end": 8, "confidence": 0.41, "reason": "weak",
        "keep": None, "outcome": "waits", **given,
    }  # fmt: skip


def test_doubt_about_a_message_is_told_with_its_reason() -> None:
    doubt = Doubt("We might", 3, 11, 0.41, (), "only weak clues")

    assert unsure_of([doubt]) == [Unsure("We might", 3, 11, 0.41, "only weak clues")]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("waits", "waits for a closer look"),
        (None, "waits for a closer look"),
        ("below the threshold: 0.34; stays a turn", "below the threshold: 0.34; stays a turn"),
    ],
)
def test_doubt_about_a_turn_says_what_becomes_of_it(outcome: str | None, told: str) -> None:
    (unsure,) = unsure_in([stored(outcome=outcome)])

    assert unsure.outcome == told


@pytest.mark.parametrize(
    ("reason", "left"),
    [
        ("", ""),
        ("a greeting", "a greeting"),
        ("weak", ""),
        ("weak; below the threshold: 0.34", ""),
        ("weak; a secret was masked; no vault is set", "a secret was masked; no vault is set"),
    ],
)
def test_reason_of_a_turn_says_nothing_that_its_doubts_say(reason: str, left: str) -> None:
    unsure = unsure_in([stored(outcome="below the threshold: 0.34; stays a turn")])

    assert unsaid(reason, unsure) == left


def test_doubt_that_became_a_memory_is_none_any_more() -> None:
    assert unsure_in([stored(outcome="kept")]) == []
