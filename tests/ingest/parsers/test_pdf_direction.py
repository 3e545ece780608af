"""Text that runs from right to left is read so, whatever else stands in its line."""

import pytest

from ingest.parsers.pdf_direction import (
    Glyph,
    direction_errors,
    has_right_to_left,
    is_right_to_left,
    reading_text,
    text_as_seen,
)

SHALOM, OLAM = "שלום", "עולם"


def seen(*words: str) -> list[Glyph]:
    """Words side by side from left to right, each letter 6 wide, the words 3 apart."""
    glyphs, left = [], 0.0
    for word in words:
        for letter in word:
            glyphs.append(Glyph(letter, left, left + 6))
            left += 6
        left += 3
    return glyphs


def read(*words: str, leftward: bool = False) -> str:
    return reading_text(seen(*words), is_page_right_to_left=leftward)


def test_words_are_read_from_the_right() -> None:
    assert read(OLAM[::-1], SHALOM[::-1]) == f"{SHALOM} {OLAM}"


def test_order_in_which_the_letters_come_does_not_matter() -> None:
    glyphs = seen(OLAM[::-1], SHALOM[::-1])

    assert reading_text(glyphs[::-1], is_page_right_to_left=False) == f"{SHALOM} {OLAM}"


@pytest.mark.parametrize(
    ("visual", "expected"),
    [
        ((".2031", "תנשב"), "בשנת 2031."),
        ((OLAM[::-1], "3.50", SHALOM[::-1]), f"{SHALOM} 3.50 {OLAM}"),
        (("12/05/2031", "ךיראת"), "תאריך 12/05/2031"),
        ((OLAM[::-1], "to", "go", SHALOM[::-1]), f"{SHALOM} to go {OLAM}"),
        (("20", "10", SHALOM[::-1]), f"{SHALOM} 10 20"),
        (("A4", SHALOM[::-1]), f"{SHALOM} A4"),
        ((f")2031({OLAM[::-1]}",), f"{OLAM}(2031)"),
        ((f"(2031){OLAM[::-1]}",), f"{OLAM}(2031)"),
    ],
)
def test_numbers_and_latin_words_keep_their_direction(
    visual: tuple[str, ...], expected: str
) -> None:
    assert read(*visual) == expected


def test_word_within_a_line_of_the_other_direction_is_turned_alone() -> None:
    assert read("The", "word", SHALOM[::-1], "means", "peace.") == f"The word {SHALOM} means peace."


def test_two_words_with_a_number_between_them_are_one_run() -> None:
    assert read("See", OLAM[::-1], "15", SHALOM[::-1], "there") == f"See {SHALOM} 15 {OLAM} there"


def test_page_tells_the_direction_of_a_line_that_is_mostly_latin() -> None:
    line = ("international", "conference", SHALOM[::-1])

    assert read(*line, leftward=True) == f"{SHALOM} international conference"
    assert read(*line) == f"international conference {SHALOM}"


def test_vowel_points_stay_with_their_letter() -> None:
    glyphs = [Glyph("ב", 0, 6), Glyph("א", 6, 12), Glyph("\u05b8", 8, 10)]

    assert reading_text(glyphs, is_page_right_to_left=True) == "א\u05b8ב"


def test_arabic_is_read_from_the_right() -> None:
    assert read("ةيلخادلا", "ةرازو") == "وزارة الداخلية"


def test_shape_of_two_letters_keeps_their_order() -> None:
    glyphs = [Glyph("م", 0, 6), Glyph("لا", 6, 12), Glyph("س", 12, 18)]

    assert reading_text(glyphs, is_page_right_to_left=True) == "سلام"


def test_scripts_are_told_apart() -> None:
    assert has_right_to_left("aא")
    assert not has_right_to_left("aя语")
    assert not has_right_to_left("")
    assert is_right_to_left("שלום abc")
    assert not is_right_to_left("שלום abcdef")


@pytest.mark.parametrize("text", ["וזארת הפנים של ירושלים", "وزارة الداخلية", "שלום (עולם)."])
def test_text_that_is_written_backwards_is_told(text: str) -> None:
    assert direction_errors(text) < 0
    assert direction_errors(text[::-1]) > 0


def test_text_laid_out_to_the_right_is_read_so() -> None:
    assert text_as_seen(seen("وزارة", "الداخلية")) == "وزارة الداخلية"
