"""A page is read as a person reads it, whatever the order of its content."""

import random
from dataclasses import replace

import pytest

from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_order import read_order

SIZE = 10.0
LEADING = 12.0


def line(text: str, left: float, top: float, *, width: float = 0, size: float = SIZE) -> Line:
    """Units: `top` is so far below the top of the page."""
    right = left + (width or 0.5 * size * len(text))
    return Line(text, size, left, right, -top - 1.1 * size, -top)


def prose(start: str, left: float, top: float, *, lines: int = 6, width: float = 220) -> list[Line]:
    """A paragraph that fills its column and runs on from line to line."""
    return [
        line(f"{start} {number}, which runs on", left, top + LEADING * number, width=width)
        for number in range(lines)
    ]


def row(top: float, *cells: tuple[str, float]) -> list[Line]:
    return [line(text, left, top) for text, left in cells]


def placed(lines: list[Line]) -> list[Line]:
    """The lines as content that comes in this order."""
    return [replace(each, place=place) for place, each in enumerate(lines)]


def read(lines: list[Line], *, shuffled: bool = False) -> list[str]:
    content = list(lines)
    if shuffled:
        random.Random(5).shuffle(content)
    return [each.text for each in read_order(placed(content))]


def in_rows(*columns: list[Line]) -> list[Line]:
    return [each for level in zip(*columns, strict=True) for each in level]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("order", ["columns", "rows", "shuffled"])
def test_columns_are_read_one_after_the_other(count: int, order: str) -> None:
    columns = [prose(f"col {place}", 40 + 180 * place, 100, width=160) for place in range(count)]
    expected = [each.text for column in columns for each in column]
    content = (
        in_rows(*columns) if order == "rows" else [each for column in columns for each in column]
    )

    assert read(content, shuffled=order == "shuffled") == expected


def test_heading_across_the_columns_comes_first_and_one_between_divides_them() -> None:
    first = line("A heading across both of the columns of it", 40, 60, width=460, size=16)
    second = line("Another heading across all of the page", 40, 190, width=460, size=16)
    above = prose("a", 40, 100), prose("b", 280, 100)
    below = prose("c", 40, 220), prose("d", 280, 220)
    content = [first, second, *in_rows(*above), *in_rows(*below)]

    found = read(content, shuffled=True)

    parts = [[first], above[0], above[1], [second], below[0], below[1]]
    assert found == [each.text for part in parts for each in part]


def test_heading_close_above_the_columns_is_read_before_both() -> None:
    heading = line("A heading across both of the columns of it", 40, 88, width=460)

    found = read([*in_rows(prose("a", 40, 100), prose("b", 280, 100)), heading])

    assert found[0] == heading.text


def test_three_columns_below_two_are_kept_apart() -> None:
    two = [prose("upper left", 40, 100), prose("upper right", 280, 100)]
    three = [prose(f"lower {n}", 40 + 160 * n, 220, width=140) for n in range(3)]

    found = read([*in_rows(*three), *in_rows(*two)])

    assert found == [each.text for column in (*two, *three) for each in column]


def test_box_beside_the_text_is_read_apart() -> None:
    text = prose("text", 40, 100, lines=12, width=300)
    box = [
        line(words, 380, 130 + 11 * place, size=8)
        for place, words in enumerate(("Opening hours", "Mon to Fri 9 to 17", "Closed in May"))
    ]

    found = read([*text[:3], *box, *text[3:]], shuffled=True)

    assert found == [each.text for each in (*text, *box)]


def test_text_below_a_box_comes_after_both() -> None:
    beside = prose("beside", 40, 100, width=250)
    box = prose("box", 320, 100, width=180)
    below = prose("below", 40, 172, width=460)

    assert read([*below, *in_rows(beside, box)]) == [each.text for each in (*beside, *box, *below)]


def test_footnotes_of_the_first_column_come_after_the_second() -> None:
    left, right = prose("left", 40, 100, lines=8), prose("right", 280, 100, lines=10)
    note = line("1 A note on the first column.", 40, 206, size=7)

    assert read([*left, note, *right])[-1] == note.text


def test_small_print_that_is_no_note_stays_in_its_column() -> None:
    left, right = prose("left", 40, 100, lines=8), prose("right", 280, 100, lines=10)
    source = line("Source: harbor office", 40, 206, size=7)

    assert read([*left, source, *right]).index(source.text) == len(left)


def test_list_in_columns_keeps_the_order_in_which_it_was_written() -> None:
    """An index: short entries side by side, which would make a table if they came in rows."""
    left = [line(f"alder {n}", 40, 100 + LEADING * n) for n in range(5)]
    right = [line(f"hazel {n} f", 200, 100 + LEADING * n) for n in range(5)]

    assert read([*left, *right]) == [each.text for each in (*left, *right)]


def test_text_up_the_margin_comes_last() -> None:
    stamp = Line("arXiv:2031.0415", 10, 10, 22, -400, -100)
    text = prose("text", 40, 100)

    assert read([stamp, *text]) == [*(each.text for each in text), stamp.text]


TABLE = [
    row(100, ("Item", 40), ("Berth", 200), ("Crowns", 300)),
    row(114, ("Sorrel", 40), ("north", 200), ("420", 310)),
    row(128, ("Teasel", 40), ("outer pier", 200), ("85", 315)),
    row(142, ("Yarrow", 40), ("south", 200), ("1 275", 303)),
]


def cells(lines: list[Line]) -> list[tuple[str, ...]]:
    return [each.cells for each in read_order(placed(lines)) if each.cells]


@pytest.mark.parametrize("order", ["rows", "columns", "shuffled"])
def test_aligned_cells_are_rows_of_a_table(order: str) -> None:
    content = [each for cells in TABLE for each in cells]
    if order == "columns":
        content = [each for column in zip(*TABLE, strict=True) for each in column]

    assert read(content, shuffled=order == "shuffled") == [
        "Item | Berth | Crowns",
        "Sorrel | north | 420",
        "Teasel | outer pier | 85",
        "Yarrow | south | 1 275",
    ]


def test_text_around_a_table_is_no_part_of_it() -> None:
    before = line("Berths and what they cost, all of them for one week", 40, 80)
    after = line("All prices are valid until the end of the year.", 40, 170)

    lines = read_order(placed([before, *(each for cells in TABLE for each in cells), after]))

    assert [each.table > 0 for each in lines] == [False, True, True, True, True, False]
    assert len({each.table for each in lines[1:5]}) == 1


def test_empty_cell_keeps_its_place() -> None:
    table = [*TABLE[:3], [TABLE[3][0], TABLE[3][2]]]

    assert cells([each for row in table for each in row])[-1] == ("Yarrow", "", "1 275")


def test_cell_over_two_lines_stays_in_its_row() -> None:
    table = [
        row(100, ("Item", 40), ("Berth", 200), ("Crowns", 300)),
        row(120, ("Sorrel", 40), ("outer pier", 200), ("420", 310)),
        row(131, ("and the mole", 200)),
        row(151, ("Teasel", 40), ("north", 200), ("85", 315)),
        row(171, ("Yarrow", 40), ("south", 200), ("64", 315)),
    ]

    assert cells([each for row in table for each in row])[1] == (
        "Sorrel",
        "outer pier and the mole",
        "420",
    )


@pytest.mark.parametrize("mark", ["•", "{}.", "({})", "{})", "–"])
def test_list_is_no_table(mark: str) -> None:
    items = [
        row(100 + 14 * n, (mark.format(n + 1), 40), ("an item of the list that is long", 60))
        for n in range(4)
    ]

    assert cells([each for row in items for each in row]) == []


def test_dump_of_numbers_is_read_by_rows() -> None:
    """Wide and full as prose, in small letters, and yet no columns."""
    rows = [
        row(
            100 + LEADING * n,
            (f"000000{n}0", 40),
            ("0a 64 69 66 66 09 3e 30", 110),
            (f"3d 0{n} 62 64 69", 250),
        )
        for n in range(4)
    ]

    found = read([each for row in rows for each in row])

    assert [line.split()[0] for line in found] == [f"000000{n}0" for n in range(4)]


def test_two_rows_are_no_table() -> None:
    lines = read_order(placed([each for row in TABLE[:2] for each in row]))

    assert [each.text for each in lines] == ["Item Berth Crowns", "Sorrel north 420"]
    assert all(each.is_row and not each.cells for each in lines)


def test_prose_with_wide_gaps_is_no_table() -> None:
    """Justified text whose gaps do not stand below each other."""
    lines = [
        part
        for number, gap in enumerate((150, 230, 310, 120, 270))
        for part in (
            line("x", 40, 100 + LEADING * number, width=gap - 40),
            line("y", gap + 12, 100 + LEADING * number, width=460 - gap),
        )
    ]

    assert read(lines) == ["x y"] * 5
    assert cells(lines) == []


def test_no_pieces_make_no_lines() -> None:
    assert read_order([]) == []
