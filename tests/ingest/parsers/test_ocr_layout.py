"""Pieces of text are put in the order in which a person reads them."""

import math

import pytest

from ingest.parsers.ocr import Found, Quad
from ingest.parsers.ocr_layout import pieces_of, quarters_of
from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_order import read_order

HEIGHT = 20.0


def piece(text: str, left: float, top: float, *, width: float = 0, height: float = HEIGHT) -> Quad:
    right, bottom = left + (width or 10 * len(text)), top + height
    return Quad(text, ((left, top), (right, top), (right, bottom), (left, bottom)))


def turned(quad: Quad, degrees: float) -> Quad:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Quad(quad.text, tuple((x * cos - y * sin, x * sin + y * cos) for x, y in quad.corners))


def lines_of(*quads: Quad, scale: float = 1) -> list[Line]:
    return read_order(pieces_of(Found(quads, (1_000, 1_000)), scale=scale))


def texts(*quads: Quad) -> list[str]:
    return [line.text for line in lines_of(*quads)]


def prose(start: str, left: float, *, top: float = 100) -> list[Quad]:
    return [piece(f"{start}{number}", left, top + 30 * number, width=300) for number in range(4)]


def test_no_pieces_make_no_lines() -> None:
    assert lines_of() == []


def test_lines_come_from_the_top_down_whatever_the_order_of_the_pieces() -> None:
    assert texts(piece("second", 0, 40), piece("third", 0, 70), piece("first", 0, 10)) == [
        "first",
        "second",
        "third",
    ]


def test_pieces_of_one_line_stand_from_left_to_right() -> None:
    (line,) = lines_of(piece("318.40", 300, 12), piece("Total due", 0, 10))

    assert (line.text, line.is_row) == ("Total due 318.40", True)
    assert (line.left, line.right) == (0, 360)


def test_words_that_stand_close_are_a_line_and_no_row() -> None:
    (line,) = lines_of(piece("right", 62, 10), piece("left", 0, 10, width=60))

    assert (line.text, line.is_row) == ("left right", False)


def test_columns_of_prose_are_read_one_after_the_other_below_their_headline() -> None:
    headline = piece("A headline across both of the columns", 0, 0, width=700)

    found = texts(headline, *prose("right", 400), *prose("left", 0))

    assert found[0] == headline.text
    assert found[1:] == [f"{side}{number}" for side in ("left", "right") for number in range(4)]


def test_columns_end_where_a_table_begins() -> None:
    table = [piece(text, left, 400) for text, left in (("Crane", 0), ("85.00", 450))]

    found = texts(*table, *prose("left", 0), *prose("right", 400))

    assert found[-2:] == ["right3", "Crane 85.00"]


def test_table_is_read_row_by_row() -> None:
    rows = [("Mooring", "19.00"), ("Crane", "85.00"), ("Water", "3.50"), ("Ice", "2.00")]
    quads = [
        piece(cell, left, 30 * number)
        for number, row in enumerate(rows)
        for cell, left in zip(row, (0, 400), strict=True)
    ]

    assert texts(*quads) == [" | ".join(row) for row in rows]


def test_page_that_lies_askew_is_read_as_if_it_were_straight() -> None:
    label = piece("A label of some length", 0, 0)
    value = piece("A value on the same line", 900, 0)
    below = piece("What stands below the label", 0, 30)

    found = texts(*(turned(quad, 3) for quad in (below, value, label)))

    assert found == ["A label of some length A value on the same line", below.text]


def test_lines_of_about_the_same_height_have_one_size_and_a_headline_its_own() -> None:
    lines = lines_of(
        piece("Headline", 0, 0, height=44),
        piece("low letters", 0, 80, height=18),
        piece("Tall Letters", 0, 110, height=23),
        piece("more of them", 0, 140),
        scale=0.5,
    )

    assert [line.size for line in lines] == [22, 10.75, 10.75, 10.75]


def test_places_are_told_upwards_in_points() -> None:
    (line,) = lines_of(piece("words", 30, 50), scale=0.5)

    assert (line.left, line.right, line.top, line.bottom) == (15, 40, -25, -35)


@pytest.mark.parametrize("degrees", [90, 180, 270])
@pytest.mark.parametrize("askew", [0, 2])
def test_page_that_lies_turned_is_read_as_if_it_were_upright(degrees: int, askew: float) -> None:
    quads = [*prose("left", 0), *prose("right", 400), piece("A line below both of them", 0, 400)]
    # A tall line is turned to the left to be read; so then is text that runs up the page.
    flipped = len(quads) if degrees in {180, 270} else 0

    found = Found([as_detected(quad, degrees + askew) for quad in quads], (1_000, 1_000), flipped)

    assert quarters_of(found) == (360 - degrees) // 90
    lines = read_order(pieces_of(found, quarters_of(found)))
    assert [line.text for line in lines] == texts(*quads)


def as_detected(quad: Quad, degrees: float) -> Quad:
    """The corners clockwise from the upper left one, wherever the text begins."""
    corners = turned(quad, degrees).corners
    first = min(range(4), key=lambda place: sum(corners[place]))
    return Quad(quad.text, (*corners[first:], *corners[:first]))


def test_box_of_a_piece_holds_its_corners_in_shares_of_the_picture() -> None:
    (line,) = lines_of(piece("words", 100, 50))

    assert line.box == (0.1, 0.05, 0.15, 0.07)
