"""Words that a line's end breaks are made whole, and compounds keep their hyphen."""

import pytest

from ingest.parsers.pdf_words import Vocabulary

NOTHING_KNOWN = Vocabulary([])


def whole(above: str, below: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> str | None:
    joint = vocabulary.joint(above, below)
    return None if joint is None else above.rstrip("-\u00ad\u2010") + joint + below


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        ("an impor-", "tant word", "an important word"),
        ("an impor\u2010", "tant word", "an important word"),
        ("an impor\u00ad", "tant word", "an important word"),
        ("die Ver\u00ad", "Einigung", "die VerEinigung"),
        ("Gesell-", "schaft", "Gesellschaft"),
        ("the self-", "contained part", "the self-contained part"),
        ("send an e-", "mail", "send an e-mail"),
        ("Jean-", "Luc", "Jean-Luc"),
        ("COVID-", "19", "COVID-19"),
        ("in 2031-", "04", "in 2031-04"),
        ("short-", "and long-term", "short- and long-term"),
        ("Ein-", "und Ausgang", "Ein- und Ausgang"),
    ],
)
def test_word_at_a_line_end_is_made_whole(above: str, below: str, expected: str) -> None:
    assert whole(above, below) == expected


@pytest.mark.parametrize(
    ("above", "below"),
    [("an end -", "and more"), ("an end", "of it"), ("from -", "5"), ("x-", "(y)"), ("", "a")],
)
def test_what_breaks_no_word_is_left_to_others(above: str, below: str) -> None:
    assert whole(above, below) is None


@pytest.mark.parametrize(
    ("elsewhere", "expected"),
    [
        ("The blue-green sail.", "a blue-green hull"),
        ("A bluegreen sail.", "a bluegreen hull"),
        ("The green boat is blue now.", "a blue-green hull"),
        ("The boat is blue now.", "a bluegreen hull"),
    ],
)
def test_rest_of_the_document_tells_whether_a_hyphen_belongs(elsewhere: str, expected: str) -> None:
    vocabulary = Vocabulary([["a blue-", "green hull", elsewhere]])

    assert whole("a blue-", "green hull", vocabulary) == expected


def test_halves_of_broken_words_are_no_evidence() -> None:
    vocabulary = Vocabulary([["foot-", "note", "another foot-", "note here"]])

    assert whole("foot-", "note", vocabulary) == "footnote"
