"""A sentence that says two things gives two records, each of which can stand alone."""

from datetime import date

import pytest

from memory.domain.fields import Kind
from memory.domain.perceptor import SignalKind, perceive
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


PAST = (Kind.EVENT, Kind.FACT)


@pytest.mark.parametrize(
    ("text", "happened", "planned", "day"),
    [
        (
            "I moved to Lisbon last year, and the dentist is on 4 May 2027 at 9:30.",
            "I moved to Lisbon last year",
            "the dentist is on 4 May 2027 at 9:30.",
            date(2027, 5, 4),
        ),
        (
            "I moved to Lisbon last year; the dentist is on 4 May 2027 at 9:30.",
            "I moved to Lisbon last year;",
            "the dentist is on 4 May 2027 at 9:30.",
            date(2027, 5, 4),
        ),
        (
            "We bought a house in March but the movers come on Tuesday.",
            "We bought a house in March",
            "the movers come on Tuesday.",
            date(2026, 5, 19),
        ),
        (
            "My sister broke her leg yesterday and my brother flies to Rome on Monday.",
            "My sister broke her leg yesterday",
            "my brother flies to Rome on Monday.",
            date(2026, 5, 18),
        ),
        (
            "Passed the exam last week, now the thesis is due on 3 June.",
            "Passed the exam last week",
            "the thesis is due on 3 June.",
            date(2026, 6, 3),
        ),
        (
            "Letztes Jahr bin ich nach Porto gezogen, und der Zahnarzt ist am 4. Mai 2027.",
            "Letztes Jahr bin ich nach Porto gezogen",
            "der Zahnarzt ist am 4. Mai 2027.",
            date(2027, 5, 4),
        ),
        (
            "Ich bin letztes Jahr nach Köln gezogen, aber am Montag fliege ich nach Rom.",
            "Ich bin letztes Jahr nach Köln gezogen",
            "am Montag fliege ich nach Rom.",
            date(2026, 5, 18),
        ),
        (
            "Gestern ist die Heizung ausgefallen, und am Montag kommt der Klempner.",
            "Gestern ist die Heizung ausgefallen",
            "am Montag kommt der Klempner.",
            date(2026, 5, 18),
        ),
        (
            "去年我搬到里斯本了，2027年5月4日九点半要去看牙医。",
            "去年我搬到里斯本了",
            "2027年5月4日九点半要去看牙医。",
            date(2027, 5, 4),
        ),
        (
            "昨天暖气坏了，周一师傅来修。",
            "昨天暖气坏了",
            "周一师傅来修。",
            date(2026, 5, 18),
        ),
        (
            "我去年搬到苏州了，不过下周五要回北京办手续。",
            "我去年搬到苏州了",
            "下周五要回北京办手续。",
            date(2026, 5, 22),
        ),
    ],
)
def test_what_happened_and_what_is_coming_are_two_records(text, happened, planned, day):
    perception = perceive(text, "user", FRIDAY)
    before, coming = perception.records

    assert (before.text, coming.text) == (happened, planned)
    assert before.kind in PAST
    assert before.freeze_until is None
    assert coming.kind is Kind.PLAN
    assert coming.freeze_until is not None
    assert coming.freeze_until.date() == day
    assert not any(signal.kind is SignalKind.CORRECTION for signal in perception.signals)


@pytest.mark.parametrize(
    "text",
    [
        "If it rains I'll stay home and I'll bake",
        "Otto Quist is our new landlord, and he hates dogs",
        "I bought oats and milk yesterday",
        "She said I'm late and I have to run on Monday",
        "He said 'I moved and the dentist is on Friday'",
        "I like bread and butter and the smell of rain",
        "I went to Paris and the Louvre yesterday",
        "My brother and my sister are coming on Friday",
        "The boss and the client meet on Tuesday at ten",
        "Dinner with Anna and her husband is on Friday",
        "The man who sold us the house and the agent who showed it are coming on Friday",
        "When the boiler broke last week I called a plumber and the man comes on Monday",
        "My sister hates cats and the neighbour's dog",
        "Ich mag Brot und Butter",
        "Ich mag Tee und meinen alten Sessel",
        "Meine Schwester und mein Bruder kommen am Freitag",
        "Wir waren gestern im Kino und am Fluss",
        "Weil die Heizung gestern ausgefallen ist und der Klempner kommt, bin ich am Montag daheim",
        "我喜欢喝茶，也喜欢喝咖啡",
        "因为昨天暖气坏了，周一师傅来修",
        "我姐姐和我弟弟周五来",
    ],
)
def test_sentence_stays_whole_where_a_half_would_mean_something_else(text):
    assert [record.text for record in perceive(text).records] == [text]


@pytest.mark.parametrize("text", ["Yes, every Tuesday.", "It was great.", "no, not really"])
def test_words_that_mean_nothing_alone_are_no_memory(text):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.doubts == ()
