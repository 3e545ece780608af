"""A sentence that says two things gives two records, each of which can stand alone."""

import pytest

from memory.domain.fields import Kind
from memory.domain.perceptor import perceive
from tests.memory.domain.perceiving import FRIDAY


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (
            "The boiler broke yesterday so I'm calling the plumber on Monday.",
            [
                (Kind.EVENT, "The boiler broke yesterday"),
                (Kind.PLAN, "I'm calling the plumber on Monday."),
            ],
        ),
        (
            "I live in Porto and never email me on Sundays",
            [(Kind.FACT, "I live in Porto"), (Kind.RULE, "never email me on Sundays")],
        ),
        (
            "My sister Ana moved to Leeds last week, and I'll visit her in June",
            [
                (Kind.EVENT, "My sister Ana moved to Leeds last week"),
                (Kind.PLAN, "I'll visit her in June"),
            ],
        ),
    ],
)
def test_sentence_is_cut_where_each_half_stands_alone(text, clauses):
    perception = perceive(text, "user", FRIDAY)

    assert [(record.kind, record.text) for record in perception.records] == clauses
    assert all(text[each.start : each.end] == each.text for each in perception.records)


def test_each_half_has_the_day_it_names():
    event, plan = perceive(
        "The boiler broke yesterday so I'm calling the plumber on Monday.", "user", FRIDAY
    ).records

    assert event.valid_from is not None
    assert event.valid_from.day == 14
    assert plan.freeze_until is not None
    assert plan.freeze_until.day == 18


@pytest.mark.parametrize(
    "text",
    [
        "If it rains I'll stay home and I'll bake",
        "Otto Quist is our new landlord, and he hates dogs",
        "I bought oats and milk yesterday",
        "She said I'm late and I have to run on Monday",
    ],
)
def test_sentence_stays_whole_where_a_half_would_mean_something_else(text):
    assert [record.text for record in perceive(text).records] == [text]


@pytest.mark.parametrize("text", ["Yes, every Tuesday.", "It was great.", "no, not really"])
def test_words_that_mean_nothing_alone_are_no_memory(text):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.doubts == ()
