"""What is only supposed, quoted or said in a word is told as what it is."""

import pytest

from memory.domain.fields import Kind
from memory.domain.perceptor import SignalKind, perceive
from tests.memory.domain.perceiving import FRIDAY, first


@pytest.mark.parametrize(
    "text",
    [
        "No, my flight is on Tuesday",
        "No, my boss said no",
        "Thanks, my sister is a nurse",
        "Actually, my brother lives in Rome",
        "Well, my wife has asthma",
        "Apparently, our manager left in May",
        "周一师傅来修暖气",
    ],
)
def test_word_that_opens_a_sentence_is_nobody(text):
    record = first(text)

    assert "people" not in record.attributes
    assert record.value not in {text.split(",")[0], "周一师傅"}


def test_name_after_such_a_word_is_still_found():
    assert first("No, my boss is Klaus").attributes["people"] == ["Klaus"]


@pytest.mark.parametrize(
    "text",
    [
        "If I lived in Rome I'd eat out every day",
        "if I had a dog I'd call it Rex",
        "If we had a garden we'd grow plums",
        "Wenn ich in Rom leben würde, würde ich jeden Tag essen gehen",
        "Wenn ich reich wäre, hätte ich ein Boot",
        "要是我住在罗马，天天下馆子",
        "我要是有钱就买条船",
    ],
)
def test_idle_supposition_is_small_talk(text):
    assert perceive(text).records == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("If I get the post I'll sell the flat", Kind.PLAN),
        ("If I had to choose I'd take the window seat", Kind.IMPRESSION),
        ("If it were up to me we'd eat at six", Kind.IMPRESSION),
        ("要是考上了就搬去南京", Kind.PLAN),
    ],
)
def test_condition_that_is_meant_is_kept(text, kind):
    assert first(text).kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "She said 'I hate Mondays'",
        '"I hate Mondays," she said.',
        'He goes "I love jazz" and walks off',
        "As Homer Simpson says, I hate Mondays",
        "In the film he says I live in Paris",
        "Sie sagte „ich hasse Montage“",
        "她说“我讨厌星期一”",
    ],
)
def test_words_of_others_are_no_taste_or_home_of_the_user(text):
    record = first(text)

    assert record.signals == ()
    assert record.entity != "user"
    assert record.confidence <= 0.5


@pytest.mark.parametrize(
    "text", ["Oh great, I just love waiting", "Wonderful, I love being stuck in traffic."]
)
def test_liking_said_in_irony_is_no_preference(text):
    record = first(text)

    assert record.kind is Kind.IMPRESSION
    assert record.signals == ()
    assert not record.key


@pytest.mark.parametrize(
    ("text", "kind", "signal"),
    [
        ("vegan btw", Kind.FACT, SignalKind.IDENTITY),
        ("Leeds based", Kind.FACT, SignalKind.IDENTITY),
        ("two kids, both boys", Kind.FACT, SignalKind.IDENTITY),
        ("size 9 feet", Kind.FACT, SignalKind.IDENTITY),
        ("I'm Jules", Kind.ENTITY, SignalKind.IDENTITY),
        ("no, thursday", Kind.PLAN, SignalKind.CORRECTION),
        ("Kim not Kym", Kind.FACT, SignalKind.CORRECTION),
        ("bin veganer übrigens", Kind.FACT, SignalKind.IDENTITY),
        ("zwei kinder, beide jungs", Kind.FACT, SignalKind.IDENTITY),
        ("nee, donnerstag", Kind.PLAN, SignalKind.CORRECTION),
        ("搬家了 现住昆山 房租两千", Kind.FACT, SignalKind.IDENTITY),
    ],
)
def test_very_short_message_has_its_signal_and_kind(text, kind, signal):
    record = first(text, observed_at=FRIDAY)

    assert record.kind is kind
    assert record.signals[0].kind is signal
    assert record.signals[0].confidence >= 0.8


@pytest.mark.parametrize("text", ["I moved to Lisbon last year", "We moved to a farm"])
def test_moving_house_takes_nothing_back(text):
    assert all(signal.kind is not SignalKind.CORRECTION for signal in first(text).signals)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Der Umzug ist am 4. Mai um neun.", 1),
        ("Der Umzug ist am 4. Mai. Ich freue mich auf Porto.", 2),
        ("Wir sind in Saal 4. Mai ist mein Lieblingsmonat.", 2),
    ],
)
def test_day_of_a_german_month_ends_no_sentence(text, sentences):
    perception = perceive(text, "user", FRIDAY)

    assert len(perception.records) + len(perception.doubts) == sentences
