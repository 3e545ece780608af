"""Corrections in conversation: what they replace, and when they had better replace nothing."""

from datetime import timedelta

from memory.domain.conflicts import Correction
from memory.domain.fields import Source
from memory.models import Principal, acting_as
from memory.services.conflicts import CORRECTS_NOTHING, DISPUTES_A_PERSONS
from tests.fixtures import add_turn, remember
from tests.memory.services.claiming import MAY, active, capture, fresh, live


def test_correction_replaces_what_it_means_and_keeps_its_labels(alice, as_alice):
    old = remember(
        alice, "The meeting with Dana is at 3", kind="plan", category="decision",
        shelf="core", tags=("dana",), importance=8,
    )  # fmt: skip

    kept = capture(
        as_alice, "No, the meeting with Dana is at 4, not 3", correction=Correction(("3",))
    )

    new = fresh(kept.fact)
    assert kept.superseded == (old.pk,)
    assert fresh(old).superseded_by_id == new.pk
    labels = (new.kind, new.category, new.shelf, new.tags, new.importance)
    assert labels == ("plan", "decision", "core", ["dana"], 8)


def test_correction_that_says_only_the_new_word_is_found_by_what_it_is_about(alice, as_alice):
    turn = add_turn(alice, "Good morning to all of you.")
    capture(as_alice, "The review is on Friday", turn=turn)

    kept = capture(
        as_alice, "It's Thursday, not Friday.", turn=turn, correction=Correction(("Friday",))
    )
    again = capture(
        as_alice, "It's Thursday, not Friday.", turn=turn, correction=Correction(("Friday",))
    )

    assert active() == ["It's Thursday, not Friday. (corrects: The review is on Friday)"]
    assert again.fact.pk == kept.fact.pk
    assert again.is_duplicate


def test_correction_of_what_is_not_remembered_is_kept_and_says_so(alice, as_alice):
    remember(alice, "The dentist is at 30")

    kept = capture(as_alice, "The train is at 5, not 3", correction=Correction(("3",)))

    assert (kept.superseded, kept.note) == ((), CORRECTS_NOTHING)
    assert len(active()) == 2


def test_correction_that_arrives_late_leaves_what_was_said_after_it(alice, as_alice):
    remember(alice, "The meeting with Dana is at 3", source_date=MAY)

    kept = capture(
        as_alice,
        "No, the meeting with Dana is at 4, not 3",
        correction=Correction(("3",)),
        source_date=MAY - timedelta(days=1),
    )

    assert kept.superseded == ()


def test_late_correction_of_a_value_gives_way_to_the_current_one(alice, as_alice):
    live(alice, "Bath", days=5)

    kept = capture(
        as_alice, "No, Tamsin lives in York, not Leeds", correction=Correction(("Leeds",)),
        entity="Tamsin", key="home", value="York", source_date=MAY,
    )  # fmt: skip

    assert kept.fact.status == "superseded"
    assert active() == ["Tamsin lives in Bath"]


def test_correction_leaves_other_owners_alone(alice, bob, as_alice):
    with acting_as(Principal(bob)):
        remember(bob, "The meeting with Dana is at 3")

    kept = capture(
        as_alice, "No, the meeting with Dana is at 4, not 3", correction=Correction(("3",))
    )

    assert kept.superseded == ()


def test_correction_of_a_persons_word_stands_beside_it(alice, as_alice):
    hers = remember(alice, "The meeting with Dana is at 3", source=Source.PERSON)

    kept = capture(
        as_alice, "No, the meeting with Dana is at 4, not 3", correction=Correction(("3",))
    )

    assert fresh(hers).is_active
    assert kept.note == DISPUTES_A_PERSONS


def test_correction_in_chinese_replaces_what_it_means(alice, as_alice):
    capture(as_alice, "周会四点开始", lang="zh")

    kept = capture(
        as_alice, "不对，周会是三点，不是四点", lang="zh", correction=Correction(("四点",))
    )

    assert len(kept.superseded) == 1
    assert len(active()) == 1


def test_correction_with_a_name_and_a_key_replaces_that_value(alice, as_alice):
    leeds = live(alice, "Leeds", category="decision")

    kept = capture(
        as_alice, "No, Tamsin lives in York, not in Leeds", correction=Correction(("Leeds",)),
        entity="Tamsin", key="home", value="York",
    )  # fmt: skip

    assert kept.superseded == (leeds.pk,)
    assert kept.fact.category == "decision"
