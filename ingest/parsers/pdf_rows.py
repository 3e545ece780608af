"""From pieces of text to lines: those on one level make a line, aligned cells make a table."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from ingest.parsers.pdf_direction import is_right_to_left
from ingest.parsers.pdf_geometry import Line, around

Row = list[Line]

CELL_GAP = 2.0
_COLUMN_GAP = 0.6
_FEWEST_ROWS = 3
_LONGEST_CELL = 60
_HIGHEST_GAP = 2.5
_MOSTLY = 0.7
_CLOSER = 0.85
_SEPARATOR = " | "
_LIST_MARK = re.compile(r"[•◦▪‣●○■*–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]+)[.):]?|\W")  # noqa: RUF001 - dashes


def lines_of(pieces: Sequence[Line], usual: float, *, table: int) -> list[Line]:
    """The lines of a part of the page from the top down; a row of a table is one.

    Units: `usual` is the height of most pieces; `table` is the number of the first table found.
    """
    rows = list(_rows(pieces))
    lines: list[Line] = []
    place = 0
    while place < len(rows):
        found = _table_at(rows, place, usual)
        if found is None:
            lines.append(_joined(rows[place], usual))
            place += 1
        else:
            lines += found.lines(table + place)
            place += found.length
    return lines


def _rows(pieces: Sequence[Line]) -> Iterator[Row]:
    """The pieces grouped by the line on which they stand, each line from left to right."""
    row: Row = []
    for piece in sorted(pieces, key=lambda piece: -piece.middle):
        if row and not any(_share_a_line(other, piece) for other in row):
            yield sorted(row, key=lambda piece: piece.left)
            row = []
        row.append(piece)
    if row:
        yield sorted(row, key=lambda piece: piece.left)


def _share_a_line(piece: Line, other: Line) -> bool:
    is_beside = piece.right <= other.left + other.height or other.right <= piece.left + piece.height
    return is_beside and abs(piece.middle - other.middle) < min(piece.height, other.height) / 2


def _joined(row: Row, usual: float) -> Line:
    """The pieces as one line."""
    if len(row) == 1:
        return row[0]
    gaps = (right.left - left.right for left, right in pairwise(row))
    largest = max(row, key=lambda piece: piece.size)
    ordered = _as_read(row)
    return replace(
        largest,
        text=" ".join(piece.text for piece in ordered),
        left=row[0].left,
        right=max(piece.right for piece in row),
        bottom=min(piece.bottom for piece in row),
        top=max(piece.top for piece in row),
        is_row=any(gap > CELL_GAP * usual for gap in gaps),
        box=around([piece.box for piece in row]),
    )


def _as_read(row: Row) -> Row:
    return row[::-1] if is_right_to_left("".join(piece.text for piece in row)) else row


def _table_at(rows: list[Row], start: int, usual: float) -> "_Table | None":
    """The table whose first row is there, if one is."""
    if len(rows[start]) < 2:
        return None
    table = _Table(rows[start], usual)
    for row in rows[start + 1 :]:
        if not table.takes(row):
            break
    table.drop_what_only_follows()
    return table if table.is_one() else None


def _line(cells: Sequence[str]) -> str:
    """The cells divided by bars; an empty one keeps its place unless none follows."""
    last = max((place for place, cell in enumerate(cells) if cell), default=-1)
    return _SEPARATOR.join(cells[: last + 1])


class _Table:
    """Rows of cells while they are collected: between its columns nothing stands in any row."""

    def __init__(self, first: Row, usual: float) -> None:
        self._gap = _COLUMN_GAP * usual
        self._usual = usual
        self._rows = [first]
        self._columns = self._with(first, [])

    @property
    def length(self) -> int:
        """How many rows it has."""
        return len(self._rows)

    def takes(self, row: Row) -> bool:
        """Add the row if it is aligned with those before."""
        above = min(piece.bottom for piece in self._rows[-1])
        if above - max(piece.top for piece in row) > _HIGHEST_GAP * self._usual:
            return False
        columns = self._with(row, self._columns)
        if len(columns) < max(2, len(self._columns)):
            return False
        if len(row) == 1 and len(columns) > len(self._columns):
            return False
        self._rows.append(row)
        self._columns = columns
        return True

    def drop_what_only_follows(self) -> None:
        """Give back the lines at its end that have one cell, except the rest of a last cell."""
        while len(self._rows) > 1 and self._is_line(self._rows[-1]):
            self._rows.pop()

    def is_one(self) -> bool:
        """Whether the rows are cells indeed, and no list or prose."""
        full = [row for row in self._rows if len(row) > 1]
        if len(full) < _FEWEST_ROWS or len(full) < _MOSTLY * len(self._rows):
            return False
        cells = [self._cells(row) for row in self._rows]
        if all(_LIST_MARK.fullmatch(row[0]) for row in cells if row[0]) and len(cells[0]) == 2:
            return False
        return median(len(cell) for row in cells for cell in row if cell) <= _LONGEST_CELL

    def lines(self, number: int) -> Iterator[Line]:
        """Each row as a line."""
        for rows in self._with_continuations():
            pieces = [piece for row in rows for piece in row]
            cells = [
                " ".join(filter(None, parts)) for parts in zip(*map(self._cells, rows), strict=True)
            ]
            yield replace(
                _joined(pieces, self._usual),
                text=_line(cells),
                left=min(piece.left for piece in pieces),
                is_row=True,
                cells=tuple(cells),
                table=number,
            )

    def _with(self, row: Row, columns: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """The columns when the row's pieces stand in them too."""
        spans = sorted([*columns, *((piece.left, piece.right) for piece in row)])
        merged = [spans[0]]
        for left, right in spans[1:]:
            if left - merged[-1][1] < self._gap:
                merged[-1] = merged[-1][0], max(right, merged[-1][1])
            else:
                merged.append((left, right))
        return merged

    def _cells(self, row: Row) -> list[str]:
        cells = []
        for left, right in self._columns:
            inside = [piece for piece in row if left <= (piece.left + piece.right) / 2 <= right]
            cells.append(" ".join(piece.text for piece in _as_read(inside)))
        return cells[::-1] if is_right_to_left("".join(cells)) else cells

    def _is_line(self, row: Row) -> bool:
        return len(row) == 1 and row[0].left < self._columns[1][0]

    def _with_continuations(self) -> Iterator[list[Row]]:
        """Each row with the lines that carry its cells on."""
        step = self._usual_step()
        group = [self._rows[0]]
        for above, row in pairwise(self._rows):
            down = above[0].top - row[0].top
            if self._carries_on(row) and (down < _CLOSER * step or row[0].text[:1].islower()):
                group.append(row)
            else:
                yield group
                group = [row]
        yield group

    def _carries_on(self, row: Row) -> bool:
        return row[0].left >= self._columns[1][0]

    def _usual_step(self) -> float:
        full = [row for row in self._rows if not self._carries_on(row)]
        steps = [above[0].top - row[0].top for above, row in pairwise(full)]
        return median(steps) if steps else 0.0
