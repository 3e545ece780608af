"""Whole documents: columns, tables, notes and what only repeats, from the file to its elements."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.domain.chunking import chunk
from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.pdf import parse

LEFT = (
    "The harbor office opens at seven and",
    "closes when the last boat has come",
    "in. In winter the keeper stays until",
    "the lamps on the pier are lit.",
)
RIGHT = (
    "The berths on the outer mole are for",
    "boats that leave before the morning",
    "ferry, and nobody else may use them",
    "without a word with the keeper.",
)
ROWS = (
    ("Boat", "Berth", "Crowns"),
    ("Sorrel", "north", "420.00"),
    ("Teasel", "outer mole", "85.50"),
    ("Yarrow", "south", "1 275.00"),
)
COLUMNS = (60, 200, 330)
NAMES = ("Ines", "Theo", "Noor", "Mara")
BERTHS = ("one", "two", "three")


@pytest.fixture
def canvas(tmp_path: Path) -> Canvas:
    return Canvas(str(tmp_path / "a.pdf"), invariant=1)


def elements(canvas: Canvas, folder: Path) -> list[Element]:
    canvas.save()
    return [each for each in parse(folder / "a.pdf") if isinstance(each, Element)]


def lines(canvas: Canvas, texts: tuple[str, ...], left: float, top: float, size: int = 10) -> None:
    canvas.setFont("Helvetica", size)
    for number, text in enumerate(texts):
        canvas.drawString(left, top - 1.2 * size * number, text)


def table(canvas: Canvas, top: float) -> None:
    canvas.setFont("Helvetica", 10)
    for number, row in enumerate(ROWS):
        for left, cell in zip(COLUMNS, row, strict=True):
            canvas.drawString(left, top - 15 * number, cell)


def test_columns_that_were_written_row_by_row_are_read_one_by_one(
    canvas: Canvas, tmp_path: Path
) -> None:
    lines(canvas, ("Rules of the harbor, for boats of every kind and size",), 60, 740, size=16)
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        lines(canvas, (left,), 60, 700 - 12 * number)
        lines(canvas, (right,), 300, 700 - 12 * number)

    title, first, second = elements(canvas, tmp_path)

    assert title.kind is ElementKind.TITLE
    assert (first.text, second.text) == (" ".join(LEFT), " ".join(RIGHT))


def test_content_that_comes_from_the_bottom_up_is_read_from_the_top_down(
    canvas: Canvas, tmp_path: Path
) -> None:
    canvas.setFont("Helvetica", 10)
    for number, text in reversed(list(enumerate((*LEFT, *RIGHT)))):
        canvas.drawString(60, 700 - 12 * number, text)

    (element,) = elements(canvas, tmp_path)

    assert " ".join(element.text.split()) == " ".join((*LEFT, *RIGHT))


def test_table_is_one_element_whose_first_row_names_the_columns(
    canvas: Canvas, tmp_path: Path
) -> None:
    lines(canvas, LEFT, 60, 700)
    table(canvas, 620)
    lines(canvas, RIGHT, 60, 540)

    before, found, after = elements(canvas, tmp_path)

    assert (before.kind, after.kind) == (ElementKind.TEXT, ElementKind.TEXT)
    assert found.kind is ElementKind.TABLE
    assert found.text.split("\n") == [" | ".join(row) for row in ROWS]


def test_long_table_repeats_its_first_row_in_each_passage(canvas: Canvas, tmp_path: Path) -> None:
    canvas.setFont("Helvetica", 10)
    for number in range(50):
        row = ROWS[0] if not number else (f"Boat {number}", "on the north pier", f"{number}0.50")
        for left, cell in zip(COLUMNS, row, strict=True):
            canvas.drawString(left, 780 - 15 * number, cell)

    chunks = chunk(elements(canvas, tmp_path))

    assert len(chunks) > 1
    assert {each.text.split("\n")[0] for each in chunks} == {"Boat | Berth | Crowns"}


def test_lines_that_repeat_on_every_page_are_told_once(canvas: Canvas, tmp_path: Path) -> None:
    for number in range(1, 5):
        lines(canvas, ("Rules of the harbor",), 60, 800)
        lines(canvas, (f"Page {number} of 4",), 270, 30)
        lines(
            canvas,
            (f"Pier {number} is kept by {NAMES[number - 1]}.",),
            60,
            700,
        )
        canvas.showPage()

    *texts, header, footer = elements(canvas, tmp_path)

    assert [each.text for each in texts] == [
        f"Pier {number} is kept by {name}." for number, name in enumerate(NAMES, start=1)
    ]
    assert (header.kind, header.text, header.page) == (
        ElementKind.NOTE,
        "On 4 pages: Rules of the harbor",
        1,
    )
    assert (footer.kind, footer.text, footer.page) == (
        ElementKind.NOTE,
        "On 4 pages: Page 1 of 4",
        1,
    )


def test_sentence_runs_on_over_a_page_end_with_a_footer(canvas: Canvas, tmp_path: Path) -> None:
    for number in range(1, 4):
        lines(canvas, (f"- {number} -",), 270, 30)
        lines(canvas, (f"Berth {BERTHS[number - 1]} is free and",), 60, 700)
        canvas.showPage()

    (passage,) = chunk(elements(canvas, tmp_path))

    assert passage.text == "Berth one is free and Berth two is free and Berth three is free and"


def test_progress_is_told_page_by_page_before_the_elements(canvas: Canvas, tmp_path: Path) -> None:
    for number in range(3):
        lines(canvas, (f"Words of page {number}.",), 60, 400)
        canvas.showPage()
    canvas.save()

    items = list(parse(tmp_path / "a.pdf"))

    assert items[:4] == [Pages(number, 3) for number in range(4)]
    assert all(isinstance(each, Element) for each in items[4:])


def test_wide_table_on_a_turned_page_is_read_by_rows(canvas: Canvas, tmp_path: Path) -> None:
    canvas.setPageRotation(90)
    canvas.rotate(90)
    canvas.translate(0, -595)
    table(canvas, 500)

    (found,) = elements(canvas, tmp_path)

    assert found.text.split("\n") == [" | ".join(row) for row in ROWS]
