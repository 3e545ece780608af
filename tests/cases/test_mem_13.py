"""Dates follow the moment and the zone of speaking; none is invented."""

from datetime import date, datetime

import pytest

from memory.domain.perceptor import perceive
from tests.cases.handed import handed

CASES = handed("MEM-13_relative_dates.json")


def days(case):
    """Every day that the records of the message name, in the zone of speaking."""
    perception = perceive(case["text"], "user", datetime.fromisoformat(case["observed_at"]))
    moments = [
        moment
        for record in perception.records
        for moment in (record.valid_from, record.freeze_until, record.activate_at)
        if moment is not None
    ]
    return perception.records, {moment.date() for moment in moments}


@pytest.mark.parametrize(
    "case", [each for each in CASES if "expect_date_range" in each], ids=lambda each: each["text"]
)
def test_period_is_resolved_against_the_moment_of_speaking(case):
    first, last = map(date.fromisoformat, case["expect_date_range"])

    _, named = days(case)

    assert named
    assert all(first <= day <= last for day in named)


@pytest.mark.parametrize(
    "case", [each for each in CASES if each.get("expect_date")], ids=lambda each: each["text"]
)
def test_day_is_the_one_of_the_speakers_zone(case):
    _, named = days(case)

    assert named == {date.fromisoformat(case["expect_date"])}


@pytest.mark.parametrize(
    "case",
    [each for each in CASES if not each.get("expect_date") and "expect_date_range" not in each],
    ids=lambda each: each["text"],
)
def test_ambiguous_or_unsaid_date_is_none_and_the_words_stay(case):
    records, named = days(case)

    assert named == set()
    assert all(record.text == case["text"] for record in records)
