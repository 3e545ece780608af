"""The fields of a record: whom it is about, how sure, for how long, and why."""

from datetime import UTC, datetime

import pytest

from memory.domain.fields import DecayClass, Kind
from memory.domain.perceptor import SignalKind
from memory.domain.perceptor.records import DOMAIN_CONFIDENCE, UNKNOWN_DOMAIN_CONFIDENCE
from tests.memory.domain.perceiving import FRIDAY, first


@pytest.mark.parametrize(
    ("text", "facets"),
    [
        ("My e-mail is otto@example.org", ("user", "email", "otto@example.org")),
        ("I'm vegan", ("user", "diet", "vegan")),
        ("I work as a paralegal", ("user", "role", "paralegal")),
        ("Our cat is called Miso", ("user", "cat", "Miso")),
        ("My mum is Rosa Quist", ("user", "mother", "Rosa Quist")),
        ("Otto Quist is our new landlord", ("user", "landlord", "Otto Quist")),
        ("My birthday is 2 June", ("user", "birthday", "2 June")),
        ("Ana's shoe size is 39", ("Ana", "shoe_size", "39")),
        ("My shoe size is 44", ("user", "shoe_size", "44")),
        ("Tamsin is allergic to walnuts", ("Tamsin", "allergy", "walnuts")),
        ("I can't bear liquorice sweets", ("user", "liquorice_sweets", "disliked")),
        ("I do not like video calls", ("user", "video_calls", "disliked")),
        ("I don't mind the rain", ("user", "the_rain", "not minded")),
        ("I prefer tea over coffee", ("user", "tea_over_coffee", "preferred")),
        (
            "We decided to use Postgres because it has transactions",
            ("decision", "Postgres", "it has transactions"),
        ),
        ("We went with oak for the floor", ("decision", "oak for the floor", "no reason given")),
        ("Never email me on Sundays", ("convention", "email me on Sundays", "never")),
        ("We run Debian on the servers", ("user", "tool", "Debian")),
    ],
)
def test_record_has_entity_key_and_value(text, facets):
    record = first(text)

    assert (record.entity, record.key, record.value) == facets
    assert record.reasons["key"]


@pytest.mark.parametrize(
    "text",
    [
        "It is not that I dislike cats, my sister is allergic to them",
        "If I lived in Porto I'd like video calls more",
        "She is not allergic to nuts",
    ],
)
def test_record_has_no_value_where_it_is_denied_or_only_supposed(text):
    assert first(text).value == ""


def test_record_of_a_decision_is_a_decision():
    assert first("We decided to use Postgres because it is free").category == "decision"


def test_record_names_people_places_topics_and_tags():
    record = first("My sister Ana moved to Leeds, she runs a Postgres course there")

    assert record.attributes["people"] == ["Ana"]
    assert record.attributes["locations"] == ["Leeds"]
    assert "family" in record.tags
    assert "postgres" in record.tags
    assert "family" in record.attributes["topics"]
    assert record.attributes["domains"][0] == "personal"


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("My sister moved out", DOMAIN_CONFIDENCE["personal"]),
        ("My boss moved to the second floor", DOMAIN_CONFIDENCE["work"]),
        ("My sister has epilepsy", DOMAIN_CONFIDENCE["health"]),
        ("The lease runs out soon", DOMAIN_CONFIDENCE["legal"]),
        ("The blue gate sticks again", UNKNOWN_DOMAIN_CONFIDENCE),
    ],
)
def test_what_is_only_implied_has_the_confidence_of_its_domain(text, confidence):
    record = first(text)

    assert record.signals == ()
    assert record.confidence == confidence


def test_what_was_said_explicitly_keeps_its_own_confidence():
    record = first("I'm allergic to penicillin")

    assert record.confidence == max(signal.confidence for signal in record.signals) > 0.8
    assert record.reasons["confidence"] == "said explicitly"


def test_weak_clues_leave_the_kind_unsure():
    vague = first("The blue gate sticks again")
    plain = first("Never email me on Sundays")

    assert vague.kind_confidence < 0.5 < plain.kind_confidence
    assert vague.attributes["perceptor_uncertainty"] > 0.5
    assert "perceptor_uncertainty" not in plain.attributes


@pytest.mark.parametrize(
    ("text", "decay_class"),
    [
        ("My name is Ana", DecayClass.PERMANENT),
        ("My username is otto7", DecayClass.DURABLE),
        ("I'm debugging the cart right now", DecayClass.SESSION),
        ("We decided to use Postgres", DecayClass.PERMANENT),
        ("My template is the blue one", DecayClass.DURABLE),
    ],
)
def test_lifetime_follows_the_wording_and_the_exact_key(text, decay_class):
    record = first(text)

    assert record.decay_class is decay_class
    assert record.reasons["decay_class"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("My bus pass is valid until 3 May 2027", datetime(2027, 5, 4, tzinfo=UTC)),
        ("The big desk is mine this week only", datetime(2026, 5, 18, tzinfo=UTC)),
    ],
)
def test_record_expires_when_it_says_so(text, day):
    record = first(text, observed_at=FRIDAY)

    assert record.expires_at == day
    assert record.valid_from is None or record.valid_from < FRIDAY


def test_record_starts_when_it_says_so():
    record = first("From 1 June on the office is closed on Fridays", observed_at=FRIDAY)

    assert record.activate_at == datetime(2026, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "is_critical"),
    [
        ("I'm severely allergic to eggs", True),
        ("I have type 1 diabetes", True),
        ("Never give Leo peanuts", True),
        ("She is not allergic to penicillin", False),
        ("I'm allergic to Monday mornings", False),
    ],
)
def test_severe_danger_is_critical(text, is_critical):
    assert first(text).critical is is_critical


def test_plan_is_a_commitment_and_tentative_without_a_day():
    dated = first("I'll send Ana the draft on Monday", observed_at=FRIDAY)
    undated = first("I'll send Ana the draft on 03/04/2032", observed_at=FRIDAY)

    assert dated.kind is undated.kind is Kind.PLAN
    assert dated.attributes["commitment"] is True
    assert "tentative" not in dated.attributes
    assert undated.attributes["tentative"] is True


def test_reflex_knows_what_sets_it_off():
    record = first("Whenever I type 'eod', list my open tasks.")

    assert record.kind is Kind.REFLEX
    assert record.attributes["trigger_tags"][0] == "eod"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("it's Siân, not Sean", "Sean"),
        ("not the 3rd, the 17th at 2", "3rd"),
        ("We no longer order from Bakery Sol", "order from Bakery Sol"),
    ],
)
def test_correction_names_what_it_takes_back(text, words):
    record = first(text)

    assert SignalKind.CORRECTION in {signal.kind for signal in record.signals}
    assert words in record.corrects


def test_feeling_is_named():
    assert first("I'm exhausted, the baby never sleeps").attributes["emotion"] == "exhaustion"


def test_every_decided_field_has_its_reason():
    record = first("I live in Porto")

    assert {"kind", "category", "importance", "confidence", "decay_class"} <= set(record.reasons)
    assert record.lang == "en"
    assert record.attributes["salience"] == record.importance / 10
