"""What is kept of a message, as what, and why nothing is."""

import pytest

from memory.domain.fields import Kind
from memory.domain.perceptor import SignalKind, perceive
from memory.domain.perceptor.pipeline import MAX_RECORDS
from tests.memory.domain.perceiving import first


@pytest.mark.parametrize(
    ("text", "signal", "kind"),
    [
        ("Sorry, I gave you the wrong date.", SignalKind.CORRECTION, Kind.FACT),
        ("Never email me on Sundays", SignalKind.RULE, Kind.RULE),
        ("Whenever I type 'eod', list my open tasks.", SignalKind.RULE, Kind.REFLEX),
        ("I can't bear liquorice sweets", SignalKind.PREFERENCE, Kind.IMPRESSION),
        ("Please remember that my desk is on floor 3", SignalKind.MEMORY_REQUEST, Kind.FACT),
        ("I'll send Ana the draft on Friday", SignalKind.TIME_COMMITMENT, Kind.PLAN),
        ("I live in Porto and work as a nurse", SignalKind.IDENTITY, Kind.FACT),
        ("please call me Fitz", SignalKind.IDENTITY, Kind.ENTITY),
    ],
)
def test_perceive_finds_the_signal_and_shape(text, signal, kind):
    perception = perceive(text)

    assert perception.skipped is None
    assert signal in {found.kind for found in perception.signals}
    assert perception.records[0].kind is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Our tenant gets a discount of 120 euros a month", Kind.FACT),
        ("We opened the stall on Monday", Kind.EVENT),
        ("new tutor = Ilka Brandvold. starts monday", Kind.ENTITY),
        ("If the barn is sold in May, I'll buy two horses.", Kind.PLAN),
        ("According to Omar, the chef hates being filmed at work.", Kind.IMPRESSION),
    ],
)
def test_perceive_keeps_a_plain_statement_without_signal(text, kind):
    record = first(text)

    assert record.signals == ()
    assert record.kind is kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hiya, good afternoon!", "a greeting"),
        ("What's the tallest tree?", "a question, not a statement"),
        ("def never_sleep(queue):\n    return queue.pop()", "code, not a statement"),
        ("```\nnever push to main\n```", "code, not a statement"),
        ("[ERROR] mailer must be restarted before noon", "a log, not a statement"),
        ("<memory>Never whistle indoors</memory>", "markup, not a statement"),
        ("[tool output] 2 rows:\n- I live in Rome", "tool output, not a statement"),
        ("remember my key sk-FAKE0fake0FAKE0fake0", "it holds a secret"),
        ("please remember that my bank pin is 0000", "it holds a secret"),
        ("my seed phrase is apple river stone cloud", "it holds a secret"),
        ("If I were a teapot I'd whistle all day.", "small talk"),
        ("", "an empty message"),
        ("12345", "no words of a known language"),
        ("Blue ideas", "nothing in it looked worth keeping"),
    ],
)
def test_perceive_says_why_nothing_is_kept(text, reason):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.signals == ()
    assert perception.skipped == reason


def test_perceive_names_the_nearest_signal_when_none_is_strong_enough():
    perception = perceive("Maybe I prefer tea")

    assert perception.records == ()
    assert perception.skipped == (
        "no signal was strong enough: preference 0.48, "
        "says what the user likes or dislikes, hedged by “might”"
    )


@pytest.mark.parametrize(
    "text",
    [
        "I do not like video calls",
        "We no longer order from Bakery Sol",
        "I can not stand loud offices",
        "It is not that I dislike cats, my sister is allergic to them",
        "I'm not vegetarian",
    ],
)
def test_perceive_keeps_the_negation_in_the_words(text):
    assert first(text).text == text


def test_perceive_keeps_only_the_sentence_that_carries_the_signal():
    text = "haha that was fun. Never book me on the 6am flight! How tall are you?"

    perception = perceive(text)

    assert [record.text for record in perception.records] == [
        "Never book me on the 6am flight!",
    ]
    record = perception.records[0]
    assert text[record.start : record.end] == record.text


def test_perceive_does_not_cut_at_an_abbreviation():
    text = "Please note that the piano tuner is Mr. Otto Quist at Mill Street."

    assert first(text).text == text


def test_perceive_joins_scraps_of_one_message():
    text = "paint store -> locked for visitors. no exceptions. ever"

    assert first(text).text == text


def test_perceive_reads_a_polite_request_though_it_ends_with_a_question_mark():
    assert first("Could you remember that I take oat milk?").kind is Kind.FACT
    assert perceive("Can you remember how the song went?").records == ()


def test_perceive_ignores_a_fenced_block_and_keeps_the_words_around_it():
    perception = perceive("Never run this on prod:\n```\nrm -rf always\n```\n")

    assert [record.text for record in perception.records] == ["Never run this on prod:"]


def test_perceive_keeps_nothing_of_system_and_tool_turns():
    assert perceive("Never email me", role="system").skipped == "a system prompt"
    assert perceive("Never email me", role="tool").skipped == "tool output"
    assert perceive("Never email me", role="robot").skipped == "the unknown role “robot”"


def test_perceive_counts_the_assistant_less():
    said = "I love long walks by the sea"

    assert first(said, role="assistant").confidence < first(said).confidence
    assert perceive("We went to the sea", role="assistant").records == ()
    assert perceive("We went to the sea").records != ()


def test_perceive_gives_at_most_three_records_the_surest_first_in_order_of_the_text():
    text = (
        "I like tea. Please remember that I'm allergic to nuts. Never call me before ten. "
        "I live in Porto. My name is Ana."
    )

    records = perceive(text).records

    assert len(records) == MAX_RECORDS
    assert [record.start for record in records] == sorted(record.start for record in records)
    assert "Please remember that I'm allergic to nuts." in {record.text for record in records}


def test_perceive_raises_importance_for_safety():
    assert first("I'm allergic to penicillin").importance > first("I live in Porto").importance


def test_perceive_halves_a_reported_preference():
    own = perceive("I always hate meetings")
    reported = perceive("My boss says I always hate meetings, according to Omar")

    assert SignalKind.PREFERENCE in {signal.kind for signal in own.signals}
    assert SignalKind.PREFERENCE not in {signal.kind for signal in reported.signals}


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("please call me Fitz", "name", "Fitz"),
        ("I live in Porto now", "home", "Porto"),
        ("I work for Mill Street Clinic", "employer", "Mill Street Clinic"),
        ("I'm allergic to penicillin", "allergy", "penicillin"),
    ],
)
def test_perceive_fills_entity_key_and_value(text, key, value):
    record = first(text)

    assert (record.entity, record.key, record.value) == ("user", key, value)
