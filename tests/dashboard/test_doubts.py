"""What was neither kept nor dropped."""

from typing import Any

import pytest

from dashboard.doubts import A_RULE, THE_CLASSIFIER, Unsure, unsaid, unsure_in, unsure_of
from memory.domain.classifier.decision import too_little
from memory.domain.perceptor import Doubt
from memory.services.doubts import UNDECIDED


def stored(**given: Any) -> dict[str, Any]:
    return {
        "text": "We might", "start": 0, "end": 8, "confidence": 0.41, "reason": "weak",
        "keep": None, "outcome": "waits", **given,
    }  # fmt: skip


@pytest.mark.parametrize("judge", [A_RULE, THE_CLASSIFIER])
def test_doubt_about_a_message_is_told_with_its_reason_and_whose_it_is(judge: str) -> None:
    doubt = Doubt("We might", 3, 11, 0.41, (), f"only weak clues; {too_little(0.41)}")

    assert unsure_of([doubt], judge=judge) == [
        Unsure("We might", 3, 11, 0.41, "only weak clues", judge=judge)
    ]


# As the classifier tells it now, and as earlier versions stored it.
VERDICTS = [f"{too_little(0.34)}; stays a turn", "below the threshold: 0.34; stays a turn"]


@pytest.mark.parametrize("outcome", VERDICTS)
def test_number_is_the_classifiers_once_it_has_decided(outcome: str) -> None:
    (unsure,) = unsure_in([stored(confidence=0.7, keep=0.34, outcome=outcome)])

    assert (unsure.confidence, unsure.judge, unsure.outcome) == (
        0.34, THE_CLASSIFIER, "stays a turn",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("waits", "waits for a closer look"),
        (None, "waits for a closer look"),
        (UNDECIDED, UNDECIDED),
    ],
)
def test_number_is_the_rules_while_nobody_else_has_decided(outcome: str | None, told: str) -> None:
    (unsure,) = unsure_in([stored(confidence=0.7, outcome=outcome)])

    assert (unsure.confidence, unsure.judge, unsure.outcome) == (0.7, A_RULE, told)


@pytest.mark.parametrize("tail", ["", f"; {VERDICTS[0]}", f"; {VERDICTS[1]}"])
def test_what_fell_says_its_number_once(tail: str) -> None:
    reason = "only weak clues, and the classifier gives it 0.03"

    (unsure,) = unsure_in([stored(reason=reason, keep=0.03, outcome=f"stays a turn{tail}")])

    assert (unsure.confidence, unsure.reason) == (0.03, "only weak clues")
    assert "0.34" not in unsure.outcome


@pytest.mark.parametrize(
    ("reason", "left"),
    [
        ("", ""),
        ("a greeting", "a greeting"),
        ("weak", ""),
        (f"weak; {too_little(0.34)}", ""),
        ("weak; below the threshold: 0.34", ""),
        ("weak; a secret was masked; no vault is set", "a secret was masked; no vault is set"),
    ],
)
@pytest.mark.parametrize("outcome", VERDICTS)
def test_reason_of_a_turn_says_nothing_that_its_doubts_say(
    reason: str, left: str, outcome: str
) -> None:
    unsure = unsure_in([stored(outcome=outcome, keep=0.34)])

    assert unsaid(reason, unsure) == left


def test_reason_of_a_turn_without_doubts_keeps_all_it_says() -> None:
    assert unsaid(f"weak; {too_little(0.34)}", []) == f"weak; {too_little(0.34)}"


def test_doubt_that_became_a_memory_is_none_any_more() -> None:
    assert unsure_in([stored(outcome="kept")]) == []
