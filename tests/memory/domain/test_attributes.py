"""The reserved attributes: what each may hold, and what of them has a column."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.attributes import (
    CONTRADICTS,
    MAX_OWN_ATTRIBUTES,
    apart,
    checked_attributes,
    merged,
    require_clients,
)
from memory.domain.capture import draft_of
from memory.domain.errors import InvalidInput
from memory.domain.perceptor import perceive
from tests.memory.domain.perceiving import FRIDAY

EXAMPLES = Path(__file__).parents[3] / "memory/domain/classifier/examples"
RIGHT = {
    "salience": 0.7,
    "emotion": ["calm", "glad"],
    "trigger_tags": ["standup"],
    "commitment": True,
    "contradiction_flag": False,
    "allow_coexistence": True,
    "domains": ["work"],
    "people": ["Tamsin Brook"],
    "locations": ["Leeds"],
    "topics": ["竞品分析"],
    "fuzzy_ref": "the thing we spoke about",
    "perceptor_uncertainty": True,
    "tentative": True,
    "generated_by": "compression",
    "consolidation_count": 3,
    "cross_domain_emotion": False,
    "last_user_access": "2026-05-15T09:30:00+00:00",
    "followup_attempts": 0,
    "last_followup_outcome": "ignored",
    "x-team-color": "blue",
}
WRONG = [
    ("salience", 1.1), ("salience", -0.1), ("salience", True), ("salience", "high"),
    ("salience", float("nan")), ("emotion", 3), ("trigger_tags", "standup"), ("commitment", 1),
    ("allow_coexistence", "yes"), ("domains", "work"), ("people", [1]), ("people", [""]),
    ("people", ["x" * 201]), ("topics", ["x"] * 33), ("fuzzy_ref", " "), ("fuzzy_ref", "\u200b"),
    ("perceptor_uncertainty", 2), ("consolidation_count", -1), ("consolidation_count", 1.5),
    ("followup_attempts", True), ("last_user_access", "yesterday"),
    ("last_user_access", "2026-05-15T09:30:00"), ("last_followup_outcome", "maybe"),
    ("x-team", {"a": 1}), ("x-team", None), ("x-team", float("inf")),
    ("x-team", 10**400), ("salience", 10**400), ("consolidation_count", 10**400),
]  # fmt: skip


def test_reserved_attributes_of_the_right_types_are_kept_as_they_are():
    assert checked_attributes(RIGHT) == RIGHT


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_attribute_of_another_type_or_range_is_refused_by_its_name(name, value):
    with pytest.raises(InvalidInput, match=name) as refusal:
        checked_attributes({name: value})

    assert refusal.value.field == f"attributes.{name}"


@pytest.mark.parametrize("name", ["mood", "Salience", "x-", "x-Ä", "x_team", "", "x-" + "a" * 70])
def test_unknown_attribute_is_refused_and_the_known_ones_are_named(name):
    with pytest.raises(InvalidInput, match="salience"):
        checked_attributes({name: "x"})


def test_too_many_attributes_of_ones_own_are_refused():
    with pytest.raises(InvalidInput, match="of your own"):
        checked_attributes({f"x-a{number}": 1 for number in range(MAX_OWN_ATTRIBUTES + 1)})


@pytest.mark.parametrize(
    "attributes",
    [
        {"people": ["sk-proj-abcdefghijklmnop1234567890"]},
        {"x-password": "hunter2fake"},
        {"fuzzy_ref": "the key sk-proj-abcdefghijklmnop1234567890"},
    ],
)
def test_secret_in_an_attribute_is_masked(attributes):
    stored = json.dumps(checked_attributes(attributes))

    assert "abcdefghij" not in stored
    assert "hunter2" not in stored


def test_text_is_cleaned_and_named_once():
    assert checked_attributes({"people": ["Ines\0  Okafor", "Ines Okafor"]}) == {
        "people": ["Ines Okafor"]
    }


def test_attributes_with_a_column_go_to_it():
    rest, columns = apart(
        {"critical": True, "activate_at": "2026-06-01T00:00:00Z", "expire_at": None, "topics": []}
    )

    assert rest == {"topics": []}
    assert columns == {
        "critical": True,
        "activate_at": datetime(2026, 6, 1, tzinfo=UTC),
        "expires_at": None,
    }


@pytest.mark.parametrize(
    "wrong", [{"critical": "yes"}, {"activate_at": "soon"}, {"expire_at": "2026-06-01"}]
)
def test_attribute_that_its_column_cannot_hold_is_refused(wrong):
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        apart(wrong)


def test_update_keeps_what_is_not_given_and_drops_what_is_null():
    now = {"topics": ["a"], "salience": 0.4}

    assert merged(now, {"salience": None, "people": ["Bo"]}) == {"topics": ["a"], "people": ["Bo"]}


def test_marks_of_a_contradiction_are_for_nobody_else_to_write():
    with pytest.raises(InvalidInput, match=CONTRADICTS):
        require_clients({CONTRADICTS: []})


@settings(deadline=None)
@given(st.text(max_size=300), st.sampled_from(["", "Remember: ", "I met Tamsin in ", "记住："]))
def test_whatever_is_perceived_has_attributes_that_a_memory_can_hold(text, before):
    for record in perceive(before + text, observed_at=FRIDAY).records:
        assert draft_of(record, said_at=FRIDAY).cleaned().attributes == record.attributes


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_whatever_the_examples_give_has_attributes_that_a_memory_can_hold(path):
    lines = path.read_text(encoding="utf-8").splitlines()

    found = [
        draft_of(record, said_at=FRIDAY).cleaned()
        for line in lines
        for record in perceive(json.loads(line)["text"], observed_at=FRIDAY).records
    ]

    assert found


@pytest.mark.parametrize(
    ("name", "number", "kind"),
    [("x-pin", 4711, "PIN"), ("x-card", 4111111111111111, "card number")],
)
def test_number_that_is_a_secret_beside_its_name_is_masked(name, number, kind):
    assert checked_attributes({name: number}) == {name: f"[secret: {kind}]"}


@pytest.mark.parametrize("number", [0, -3, 4711, 20260514, 0.1, 1e-9, 123456789012345])
def test_any_other_number_stays_a_number(number):
    assert checked_attributes({"x-count": number}) == {"x-count": number}
