"""What a message would give, field by field."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.record_rows import (
    BOTH_STAY,
    BY_A_PATTERN,
    KEEPS_ITS_KIND,
    LIKE_THE_OLD,
    MADE_STRONGER,
    SAID_LATER,
    Row,
    card_of,
)
from memory.domain.capture import draft_of
from memory.domain.fields import DecayClass, Kind, Shelf
from memory.domain.perceptor import Record, Signal, SignalKind
from memory.models import Fact
from memory.services.perceptions import Outcome

NOW = datetime(2026, 11, 19, 10, 42, tzinfo=UTC)
DAY = datetime(2026, 12, 3, tzinfo=UTC)
PLAIN = Record(
    text="I fly to Porto on 3 December.",
    kind=Kind.PLAN,
    category="decision",
    shelf=Shelf.PROJECT,
    importance=7,
    confidence=0.85,
    entity="",
    key="",
    value="",
    tags=(),
    decay_class=DecayClass.NORMAL,
    source_date=None,
    valid_from=None,
    expires_at=None,
    freeze_until=None,
    attributes={},
    signals=(),
    start=0,
    end=29,
)


def outcome(**fields: Any) -> Outcome:
    record = replace(PLAIN, **fields)
    return Outcome(record, draft_of(record, said_at=NOW).cleaned())


def told(given: Outcome) -> dict[str, Row]:
    """Each row by its label."""
    with timezone.override("Europe/Berlin"):
        return {row.label: row for row in card_of(given, NOW).rows}


def rows(**fields: Any) -> dict[str, tuple[str, str]]:
    """Each row's words and reason by its label."""
    return {label: (row.words, row.reason) for label, row in told(outcome(**fields)).items()}


@pytest.mark.parametrize(
    ("fields", "label", "words"),
    [
        ({}, "Kind", "plan"),
        ({"kind_confidence": 0.7}, "Kind", "plan, 0.70 sure, says a rule"),
        ({}, "Category", "decision, shelf project"),
        ({}, "Language", "en"),
        ({"tags": ("food", "health")}, "Tags", "food, health"),
        ({}, "Importance", "7 of 10, by rule"),
        ({}, "Confidence", "0.85, by rule"),
        ({}, "Lifetime", "normal, half-life 14 days"),
        ({"decay_class": DecayClass.PERMANENT}, "Lifetime", "permanent, never fades"),
        ({"critical": True}, "Lifetime", "critical, does not fade"),
        ({"critical": True}, "Critical", "yes"),
        ({"entity": "Ines"}, "About", "Ines"),
        ({"key": "diet", "value": "no shellfish"}, "About", "diet: no shellfish"),
        ({"entity": "Ines", "key": "home", "value": "Porto"}, "About", "Ines, home: Porto"),
        ({"corrects": ("Tuesday", "ten")}, "Takes back", "“Tuesday”, “ten”"),
        ({"source_date": DAY}, "Dated", "3 December 2026, 01:00"),
        ({"valid_from": DAY - timedelta(hours=1)}, "True since", "3 December 2026"),
        ({"activate_at": DAY}, "In use from", "3 December 2026, 01:00"),
        ({"freeze_until": DAY - timedelta(hours=1)}, "Fades from", "3 December 2026"),
        ({"expires_at": DAY - timedelta(hours=1)}, "Expires", "3 December 2026, 00:00"),
        ({"attributes": {"people": ["Ines"]}}, "People", "Ines"),
        ({"attributes": {"locations": ["Porto"]}}, "Places", "Porto"),
        ({"attributes": {"topics": ["travel"]}}, "Topics", "travel"),
    ],
)
def test_field_is_told_in_words(fields: dict[str, Any], label: str, words: str) -> None:
    assert rows(**fields)[label][0] == words


@pytest.mark.parametrize(
    "label",
    [
        "About", "Takes back", "Critical", "Dated", "True since", "In use from", "Fades from",
        "Expires", "Heard", "Decided by", "People", "Known already", "Outdated by", "Replaces",
        "Contradicts", "Note", "Tags",
    ],
)  # fmt: skip
def test_field_that_holds_nothing_has_no_row(label: str) -> None:
    assert label not in rows()


@pytest.mark.parametrize(
    ("name", "label", "fields"),
    [
        ("kind", "Kind", {}),
        ("category", "Category", {}),
        ("shelf", "Category", {}),
        ("lang", "Language", {}),
        ("importance", "Importance", {}),
        ("confidence", "Confidence", {}),
        ("decay_class", "Lifetime", {}),
        ("key", "About", {"key": "diet"}),
        ("critical", "Critical", {"critical": True}),
        ("valid_from", "True since", {"valid_from": DAY}),
        ("activate_at", "In use from", {"activate_at": DAY}),
        ("freeze_until", "Fades from", {"freeze_until": DAY}),
        ("expires_at", "Expires", {"expires_at": DAY}),
        ("classifier", "Decided by", {}),
        ("what_else", "What else", {}),
        ("tags", "Tags", {"tags": ("food",)}),
    ],
)
def test_reason_stands_beside_what_it_decided(
    name: str, label: str, fields: dict[str, Any]
) -> None:
    assert rows(reasons={name: "because"}, **fields)[label][1] == "because"


@pytest.mark.parametrize("name", ["valid_from", "freeze_until", "expires_at", "key", "critical"])
def test_reason_of_what_it_has_no_more_is_left_out(name: str) -> None:
    assert "because" not in {reason for _, reason in rows(reasons={name: "because"}).values()}


def test_signal_is_told_with_how_sure_it_is_and_why() -> None:
    signal = Signal(SignalKind.TIME_COMMITMENT, 0, 5, 0.91, "a promise with a day")

    heard = rows(signals=(signal,))["Heard"]

    assert heard == ("time commitment 0.91", "a promise with a day")


def test_importance_that_the_classifier_set_says_so() -> None:
    learned = rows(reasons={"importance": "the classifier is 0.83 sure"})["Importance"]

    assert learned == ("7 of 10, by the classifier", "the classifier is 0.83 sure")


def test_kind_that_the_classifier_chose_says_once_how_sure_it_is() -> None:
    kind = rows(kind_confidence=0.7, reasons={"kind": "the classifier is 0.70 sure"})["Kind"]

    assert kind == ("plan", "the classifier is 0.70 sure")


def test_lifeline_is_that_of_a_memory_that_is_new() -> None:
    plain, kept = card_of(outcome(), NOW), card_of(outcome(critical=True), NOW)

    assert plain.drawing.strength == kept.drawing.strength == 1.0
    assert kept.drawing.hold
    assert not plain.drawing.hold


OLD = Fact(text="I fly to Porto on 2 December.")


@pytest.mark.parametrize(
    ("effect", "label", "reason"),
    [
        ({"known": OLD}, "Known already", MADE_STRONGER),
        ({"newer": OLD}, "Outdated by", SAID_LATER),
        ({"replaces": [OLD]}, "Replaces", KEEPS_ITS_KIND),
        ({"disputes": [OLD]}, "Contradicts", BOTH_STAY),
        ({"disputes": [OLD], "note": "A person said so."}, "Contradicts", "A person said so."),
    ],
)
def test_what_it_does_to_a_memory_is_told_first_with_that_memory(
    effect: dict[str, Any], label: str, reason: str
) -> None:
    first = next(iter(told(replace(outcome(), **effect)).values()))

    assert (first.label, first.reason, list(first.facts)) == (label, reason, [OLD])


def test_note_is_told_where_no_memory_is_concerned() -> None:
    assert told(replace(outcome(), note="It corrects nothing."))["Note"].words == (
        "It corrects nothing."
    )


def test_kind_and_labels_of_what_it_corrects_are_told_as_such() -> None:
    given = outcome(kind_confidence=0.7, reasons={"kind": "a day ahead"})
    draft = replace(given.draft, kind="event", category="fact", shelf="core")

    rows = told(replace(given, draft=draft, replaces=[OLD]))

    for label, words in {"Kind": "event", "Category": "fact, shelf core"}.items():
        assert (rows[label].words, rows[label].reason) == (words, LIKE_THE_OLD)


def test_category_that_a_word_gives_is_told_as_such() -> None:
    given = outcome()

    row = told(replace(given, draft=replace(given.draft, category="travel")))["Category"]

    assert (row.words, row.reason) == ("travel, shelf project", BY_A_PATTERN)


def test_reason_of_category_and_shelf_is_told_once_where_it_is_the_same() -> None:
    same, other = (
        rows(reasons={"category": "a day ahead", "shelf": shelf})["Category"][1]
        for shelf in ("a day ahead", "work")
    )

    assert (same, other) == ("a day ahead", "a day ahead; work")
