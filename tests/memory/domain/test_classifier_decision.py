"""The whole decision: rules that are sure stay, and the classifier decides the rest."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.classifier.decision import (
    SURE,
    Judged,
    decide,
    is_in_doubt,
    is_weak,
    settle,
)
from memory.domain.classifier.filing import filed_as
from memory.domain.classifier.model import KINDS, VECTOR_SCALE, Opinion, Thresholds, as_bytes
from memory.domain.classifier.storage import shipped_classifier
from memory.domain.errors import Permanent
from memory.domain.fields import DecayClass, Kind, Shelf
from memory.domain.perceptor import Doubt, Perception, Signal, SignalKind, perceive
from memory.domain.perceptor.pipeline import MAX_RECORDS

LIMITS = Thresholds(keep=0.8, drop=0.6, drop_signaled=0.2, drop_sure=0.1, kind=0.0)
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def opinion(keep, kind=Kind.FACT, sure=0.9, importance=6):
    rest = (1 - sure) / (len(KINDS) - 1)
    return Opinion(keep, dict.fromkeys(KINDS, rest) | {kind: sure}, importance)


def record(confidence=None, says=SignalKind.RULE, **changes):
    """A record from weak clues, or with one signal of this confidence."""
    [found] = perceive("I moved to Leeds last spring.").records
    signals = ()
    if confidence is not None:
        signals = (Signal(says, 0, 4, confidence, "a rule"),)
    plain = replace(found, signals=signals, kind_confidence=0.4, critical=False, key="")
    return replace(plain, **changes)


def doubt(place=0, kept=True):
    of = record(start=place, end=place + 9)
    return Doubt("I moved to", place, place + 9, 0.3, (), "only weak clues", of if kept else None)


def settled(*pairs, skipped=None):
    records = tuple(unit for unit, _ in pairs if not isinstance(unit, Doubt))
    doubts = tuple(unit for unit, _ in pairs if isinstance(unit, Doubt))
    perception = Perception((), records, skipped, doubts)
    return settle(perception, [Judged(*pair) for pair in pairs], LIMITS)


def test_doubt_above_the_threshold_becomes_a_record_with_the_reason():
    perception = settled((doubt(), opinion(0.93, Kind.PLAN, 0.7)), skipped="nothing strong")

    [kept] = perception.records
    assert (kept.kind, kept.importance, perception.skipped) == (Kind.PLAN, 6, None)
    assert kept.reasons["classifier"].startswith("0.93 sure that it is worth keeping")
    assert kept.reasons["kind"] == "the classifier is 0.70 sure"


def test_doubt_below_the_threshold_stays_one_with_its_chance():
    perception = settled((doubt(), opinion(0.34)), skipped="nothing strong")

    [left] = perception.doubts
    assert (perception.records, left.confidence) == ((), 0.34)
    assert left.reason == "only weak clues; the classifier gives it 0.34, too little to keep it"
    assert perception.skipped == left.reason


def test_doubt_that_gives_no_record_stays_one():
    assert settled((doubt(kept=False), opinion(0.99)), skipped="no shape").records == ()


@pytest.mark.parametrize(
    ("found", "keep", "is_kept"),
    [
        (record(), 0.59, False),
        (record(), 0.61, True),
        (record(0.6), 0.21, True),
        (record(0.6), 0.19, False),
        (record(SURE), 0.11, True),
        (record(SURE), 0.09, False),
        (record(SURE, kind_confidence=SURE), 0.0, True),
        (record(SURE, critical=True), 0.0, True),
        (record(SURE, kind=Kind.REFLEX), 0.0, True),
        (record(SURE, SignalKind.MEMORY_REQUEST), 0.0, True),
        (record(SURE, SignalKind.CORRECTION), 0.0, True),
        (record(SURE, SignalKind.IDENTITY), 0.0, True),
        (record(critical=True), 0.0, True),
    ],
)
def test_record_falls_only_where_its_clues_are_weak_or_suspicious(found, keep, is_kept):
    perception = settled((found, opinion(keep)))

    assert bool(perception.records) is is_kept
    assert bool(perception.doubts) is not is_kept
    if not is_kept:
        assert f"{keep:.2f}" in perception.skipped


def test_kind_and_importance_of_a_sure_record_stay():
    sure = record(0.6, kind_confidence=SURE)

    assert settled((sure, opinion(0.9, Kind.REFLEX, 1.0, importance=10))).records == (sure,)


def test_kind_stays_where_the_rules_are_surer():
    found = record(kind_confidence=0.7)

    [kept] = settled((found, opinion(0.9, Kind.REFLEX, 0.5, importance=9))).records

    assert (kept.kind, kept.importance) == (found.kind, 9)
    assert kept.reasons["kind"] == found.reasons["kind"]


@pytest.mark.parametrize(
    ("dates", "kind"),
    [
        ({"valid_from": NOON}, Kind.EVENT),
        ({"valid_from": NOON, "freeze_until": NOON}, Kind.PLAN),
        ({"valid_from": None}, Kind.PLAN),
    ],
)
def test_what_names_a_day_gone_by_is_no_plan(dates, kind):
    found = record(kind_confidence=0.3, kind=Kind.FACT, **dates)
    held = opinion(0.9, Kind.PLAN, 0.6)
    held = replace(held, kinds=held.kinds | {Kind.EVENT: 0.35})

    [kept] = settled((found, held)).records

    assert kept.kind is kind


def test_no_more_records_than_the_cap_and_the_rules_come_first():
    found = record(start=90, end=99)
    doubts = [(doubt(10 * place), opinion(0.81 + place / 100)) for place in range(4)]

    perception = settled((found, opinion(0.7)), *doubts)

    assert len(perception.records) == MAX_RECORDS
    assert [each.start for each in perception.records] == [20, 30, 90]


@pytest.mark.parametrize("text", ["Noted.", "I have updated the file.", "That makes sense now."])
def test_classifier_alone_keeps_nothing_that_an_assistant_says(text):
    perception = decide(text, "assistant", classifier=shipped_classifier())

    assert perception.records == ()
    assert perception.skipped


def test_sure_rules_are_not_asked_about():
    firm = record(0.9, kind_confidence=0.9)

    assert not is_weak(firm)
    assert not is_in_doubt(Perception((), (firm,), None))
    assert is_in_doubt(Perception((), (record(),), None))
    assert is_in_doubt(Perception((), (), "nothing", (doubt(),)))


class Reader:
    """Counts how often it is asked."""

    name = "multilingual-e5-small-q4"

    def __init__(self):
        self.asked = []

    def embed_passages(self, texts):
        self.asked += texts
        return np.full((len(texts), 384), 384**-0.5, dtype=np.float32)


def test_embedder_is_asked_once_a_message_and_only_in_doubt():
    reader = Reader()
    message = "so the bakery might close, or so they say. Ana brought the ladder back."

    decide("ok thanks!", classifier=shipped_classifier(), embedder=reader)
    assert reader.asked == []
    decide(message, classifier=shipped_classifier(), embedder=reader)
    assert reader.asked == [message]


def test_embedder_that_the_classifier_cannot_read_is_not_asked():
    reader = Reader()
    reader.name = "another"
    message = "Ana brought the ladder back."

    perception = decide(message, classifier=shipped_classifier(), embedder=reader)

    assert reader.asked == []
    assert perception == decide(message, classifier=shipped_classifier())


def test_failure_of_the_embedder_is_told_to_the_caller():
    class Broken(Reader):
        def embed_passages(self, texts):
            raise Permanent("no answer")

    with pytest.raises(Permanent):
        decide("Ana brought the ladder.", classifier=shipped_classifier(), embedder=Broken())


@settings(deadline=None, max_examples=60)
@given(
    st.one_of(
        st.text(alphabet=st.characters(), max_size=200),
        st.lists(
            st.sampled_from(
                ["I ", "never ", "my sister ", "tomorrow ", "我住在", "上海", "。", ". ", "\n", "?"]
            ),
            max_size=20,
        ).map("".join),
    ),
    st.sampled_from(["user", "assistant", "system", "robot"]),
)
def test_any_message_is_decided_the_same_twice(text, role):
    first, second = (decide(text, role, NOON, classifier=shipped_classifier()) for _ in range(2))

    assert first == second
    assert (first.skipped is None) == bool(first.records)
    assert len(first.records) <= MAX_RECORDS
    for each in first.records:
        assert text[each.start : each.end] == each.text
        assert 1 <= each.importance <= 10


def test_vector_in_bytes_keeps_its_direction():
    vector = np.random.default_rng(1).normal(size=384)
    vector /= np.linalg.norm(vector)

    small = as_bytes(vector).astype(float) / VECTOR_SCALE

    assert float(small @ vector) / float(np.linalg.norm(small)) > 0.99


@pytest.mark.parametrize("kind", Kind)
def test_record_of_another_kind_gets_the_place_that_goes_with_it(kind):
    before = record(kind=Kind.EVENT if kind is not Kind.EVENT else Kind.FACT)
    before = replace(before, reasons=before.reasons | {"decay_class": "the shape “event”"})

    after = filed_as(before, kind, 9)

    assert (after.kind, after.importance, after.attributes["salience"]) == (kind, 9, 0.9)
    assert after.reasons["category"] == f"{kind} by the classifier"
    assert after.reasons["decay_class"] == f"{kind} by the classifier"
    assert after.reasons["importance"] == "9 by the classifier"


def test_plan_is_frozen_till_its_day_and_no_longer_true_from_then():
    event = record(kind=Kind.EVENT, valid_from=NOON, freeze_until=None)

    plan = filed_as(event, Kind.PLAN, 6)

    assert (plan.valid_from, plan.freeze_until) == (None, NOON)
    assert plan.shelf is Shelf.TRANSIENT


def test_what_is_no_plan_is_no_commitment():
    plan = record(kind=Kind.PLAN, attributes={"commitment": True, "people": ["Ana"]})

    assert filed_as(plan, Kind.EVENT, 5).attributes == {"people": ["Ana"], "salience": 0.5}


def test_lifetime_that_the_wording_gives_stays():
    found = record(kind=Kind.EVENT, decay_class=DecayClass.EPHEMERAL)
    found = replace(found, reasons=found.reasons | {"decay_class": "says “right now”"})

    filed = filed_as(found, Kind.RULE, 5)

    assert filed.decay_class is DecayClass.EPHEMERAL
    assert filed.reasons["decay_class"] == "says “right now”"


def test_category_that_its_key_names_stays():
    found = record(kind=Kind.EVENT, key="home", category="entity")

    assert filed_as(found, Kind.PLAN, 5).category == "entity"


def test_same_kind_and_importance_change_nothing_but_the_salience():
    found = record(kind=Kind.FACT, importance=6, attributes={"salience": 0.6})

    assert filed_as(found, Kind.FACT, 6) == found
