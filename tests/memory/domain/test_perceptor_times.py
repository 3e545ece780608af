"""Days and times that a message names."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory.domain.fields import Kind
from tests.memory.domain.perceiving import FRIDAY, first


def test_perceive_reads_a_leading_date_as_the_source_date_and_strips_it():
    text = "[2026-01-15] We met the new landlord yesterday"

    record = first(text, observed_at=FRIDAY)

    assert record.text == "We met the new landlord yesterday"
    assert record.source_date == datetime(2026, 1, 15, tzinfo=UTC)
    assert record.valid_from == datetime(2026, 1, 14, tzinfo=UTC)
    assert text[record.start : record.end] == record.text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I'm flying to Oslo tomorrow", (2026, 5, 16)),
        ("I have to send the draft on Monday", (2026, 5, 18)),
        ("I'm seeing the dentist on Friday", (2026, 5, 22)),
        ("I'm sailing home on 14 June", (2026, 6, 14)),
        ("I need to file it by 2026-07-01", (2026, 7, 1)),
        ("I'll be in Leeds on February 2nd", (2027, 2, 2)),
    ],
)
def test_perceive_protects_a_plan_until_its_day(text, day):
    record = first(text, observed_at=FRIDAY)

    assert record.kind is Kind.PLAN
    assert record.freeze_until == datetime(*day, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [("We opened the stall on Monday", 11), ("My sister moved out yesterday", 14)],
)
def test_perceive_dates_an_event_in_the_past(text, day):
    assert first(text, observed_at=FRIDAY).valid_from == datetime(2026, 5, day, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["My contract ends on 03/04/2032", "My sister got married on 31 February"]
)
def test_perceive_invents_no_date_when_it_is_ambiguous_or_impossible(text):
    record = first(text, observed_at=FRIDAY)

    assert record.valid_from is None
    assert record.freeze_until is None


def test_perceive_counts_days_in_the_speakers_zone():
    new_york = timezone(timedelta(hours=-5))
    observed_at = datetime(2031, 12, 31, 23, 30, tzinfo=new_york)

    record = first("I have the dentist tomorrow at 9", observed_at=observed_at)

    assert record.freeze_until == datetime(2032, 1, 1, tzinfo=new_york)
