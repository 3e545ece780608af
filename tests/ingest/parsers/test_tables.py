"""Cells in their columns, however many of these they take."""

import time

import pytest

from ingest.parsers.rows import Row, read_table
from ingest.parsers.tables import Cell, laid_out


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        ([], []),
        ([[Cell("")], []], []),
        ([[Cell("a"), Cell("b")]], [["a", "b"]]),
        ([[Cell("wide", 2), Cell("x")], [Cell("1"), Cell("2"), Cell("3")]],
         [["wide", "", "x"], ["1", "2", "3"]]),
        ([[Cell("a", 1, 2), Cell("b")], [Cell("c")], [Cell("d"), Cell("e")]],
         [["a", "b"], ["", "c"], ["d", "e"]]),
        ([[Cell("a", 2, 2), Cell("b")], [Cell("c")]], [["a", "b"], ["", "c"]]),
        ([[Cell("a"), Cell(""), Cell("b")], [Cell("c"), Cell(""), Cell("")]],
         [["a", "b"], ["c", ""]]),
        ([[Cell("a", 0, 0)]], [["a"]]),
    ],
)  # fmt: skip
def test_cell_stands_once_and_in_its_column(cells: list[list[Cell]], rows: list[Row]) -> None:
    assert laid_out(cells) == rows


def test_cells_that_claim_too_much_cost_nothing() -> None:
    started = time.process_time()

    rows = laid_out([[Cell("a", 10**9, 10**9), Cell("b")] for _ in range(2_000)])

    assert rows[0] == ["a", "b"]
    assert time.process_time() - started < 5


def test_rows_that_are_said_to_name_the_columns_do() -> None:
    rows = [["2031", "2032"], *[[str(number), "a" * 90] for number in range(40)]]

    texts = [each.text for each in read_table(rows, header_rows=1)]

    assert len(texts) > 2
    assert all(text.startswith("2031 | 2032\n") for text in texts)
