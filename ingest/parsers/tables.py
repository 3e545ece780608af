"""Tables of pages and documents as rows of cells; what a merged cell covers stays empty."""

from collections.abc import Iterable
from dataclasses import dataclass

from ingest.parsers.rows import Row

# No table that a person reads is wider; what states more is wrong or wants to fill the memory.
_MOST_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows, and how many columns and rows it takes."""

    text: str
    columns: int = 1
    rows: int = 1


def laid_out(rows: Iterable[Iterable[Cell]]) -> list[Row]:
    """The rows with each cell in its column, once; rows and columns of nothing are left out."""
    table = [list(row) for row in rows]
    widest = min(max((len(row) for row in table), default=0), _MOST_COLUMNS)
    covered: dict[int, int] = {}
    placed = [_placed(row, covered, widest) for row in table]
    return _without_gaps([row for row in placed if any(row)])


def _placed(cells: list[Cell], covered: dict[int, int], widest: int) -> Row:
    """One row; `covered` says for how many more rows a column belongs to a cell above."""
    row: Row = []
    for cell in cells:
        _skip_covered(row, covered)
        # Pages state “all columns” as a number far beyond them.
        columns = max(1, min(cell.columns, widest))
        if cell.rows > 1:
            covered.update((len(row) + place, cell.rows) for place in range(columns))
        row += [cell.text] + [""] * (columns - 1)
    _skip_covered(row, covered)
    for column in list(covered):
        covered[column] -= 1
        if not covered[column]:
            del covered[column]
    return row[:_MOST_COLUMNS]


def _skip_covered(row: Row, covered: dict[int, int]) -> None:
    while len(row) in covered:
        row.append("")


def _without_gaps(rows: list[Row]) -> list[Row]:
    width = max(map(len, rows), default=0)
    shown = [any(len(row) > place and row[place] for row in rows) for place in range(width)]
    return [[cell for cell, is_shown in zip(row, shown, strict=False) if is_shown] for row in rows]
