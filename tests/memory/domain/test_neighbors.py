import pytest

from memory.domain.neighbors import NEIGHBOR_CHARACTERS, context_of, end_of, start_of

WORDS = " ".join(f"w{number:03d}" for number in range(200))


def test_short_neighbor_is_taken_whole() -> None:
    assert start_of("The heron sleeps.") == end_of("The heron sleeps.") == "The heron sleeps."


def test_long_neighbor_lends_its_whole_words_nearby() -> None:
    start, end = start_of(WORDS), end_of(WORDS)

    assert WORDS.startswith(start + " ")
    assert WORDS.endswith(" " + end)
    assert NEIGHBOR_CHARACTERS - 5 <= len(start) <= NEIGHBOR_CHARACTERS
    assert NEIGHBOR_CHARACTERS - 5 <= len(end) <= NEIGHBOR_CHARACTERS


@pytest.mark.parametrize("text", ["漢" * 900, "a " + "漢" * 900 + " b"])
def test_text_without_blanks_is_cut_at_characters(text: str) -> None:
    assert len(start_of(text)) == len(end_of(text)) == NEIGHBOR_CHARACTERS


def test_what_follows_comes_first_and_what_leads_to_it_last() -> None:
    assert context_of(["Heading", ""], before="before", after="after") == "after\nHeading\nbefore"
    assert context_of([""], before="", after="") == ""
