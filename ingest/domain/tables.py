"""Tables cut between rows, and a row that is too long between cells, under the column names."""

import re
from collections.abc import Iterator
from itertools import chain, takewhile
from typing import NamedTuple

from ingest.domain.lengths import end_within, length_of
from ingest.domain.sentences import fitting_parts

CELL_SEPARATOR = " | "
MAX_NAMES = 300
_LONGEST_NAME = 80
_MOST_HEAD_ROWS = 4
_LOOK_AHEAD_ROWS = 20
# A year is as good a name for a column as any word.
_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)[-+(€$£ ]*\d[-0-9.,%+()€$£ ]*")
_SHORTEST_NAME = 4
_LEFT_OFF = "…"


class Row(NamedTuple):
    """A row, or the part of one that is too long.

    Shape: `names` is the line of column names to stand above it, "" if there is none; `is_names`
        says that the row is that line itself, in full.
    """

    text: str
    names: str
    is_names: bool = False


def read_table(text: str, limit: int) -> Iterator[Row]:
    """The rows that show something, none longer than `limit` together with its column names.

    The first row names the columns, or where it is a title or a unit of the table, a fuller one
    below it, which takes the title along. Names that take more than 300 characters are shortened
    alike, so that each column keeps one, and left off at the end where even that does not fit.
    A row is cut only if it does not fit beside half of its names, and cells only if one alone does
    not; each part has the names of its own columns.
    """
    rows = [row.rstrip() for row in text.split("\n") if row.strip()]
    head = _head_of(rows)
    names = head[-1].split(CELL_SEPARATOR)
    shown = "\n".join(head)
    if length_of(shown) > MAX_NAMES:
        shown = bounded(names, MAX_NAMES)
    if length_of("\n".join(head)) <= limit:
        yield Row("\n".join(head), shown, is_names=True)
    else:
        yield from chain.from_iterable(_parts(row, [], limit) for row in head)
    short_names = [_shortened(name, _LONGEST_NAME) for name in names]
    length_shown = length_of(shown)
    for row in rows[len(head) :]:
        room = limit - length_of(row) - 1
        if length_shown <= room:
            yield Row(row, shown)
        elif length_shown <= 2 * room:
            yield Row(row, bounded(names, room))
        else:
            yield from _parts(row, short_names, limit)


def bounded(names: list[str], limit: int) -> str:
    """The names in one line no longer than `limit`, the long ones shortened to the same length."""
    line = CELL_SEPARATOR.join(names)
    if length_of(line) <= limit:
        return line
    room = limit - len(CELL_SEPARATOR) * (len(names) - 1)
    longest = max(_SHORTEST_NAME, _fair_share([length_of(name) for name in names], room))
    line = CELL_SEPARATOR.join(_shortened(name, longest) for name in names)
    return line if length_of(line) <= limit else _shortened(line, limit)


def _head_of(rows: list[str]) -> list[str]:
    """The row of column names, below the lines above it."""
    cells = [row.split(CELL_SEPARATOR) for row in rows[:_LOOK_AHEAD_ROWS]]
    opening = list(takewhile(_may_name_columns, cells[:_MOST_HEAD_ROWS]))
    if not opening:
        return rows[:1]
    if any(map(_has_number, cells)):
        fullest = max(map(_filled, opening))
        place = next(place for place, row in enumerate(opening) if _filled(row) == fullest)
    else:
        # Without numbers nothing tells names from values, but a single cell names no columns.
        place = int(len(opening) > 1 and len(opening[0]) == 1 < len(opening[1]))
    return rows[: place + 1]


def _may_name_columns(row: list[str]) -> bool:
    return not _has_number(row) and max(map(len, row)) <= _LONGEST_NAME


def _has_number(row: list[str]) -> bool:
    return any(_NUMBER.fullmatch(cell) for cell in row)


def _filled(row: list[str]) -> int:
    return len(row) - row.count("")


def _parts(row: str, names: list[str], limit: int) -> Iterator[Row]:
    """The row in as few parts as it can be, each cell whole under its name if it fits."""
    cells = row.split(CELL_SEPARATOR)
    names = names + [""] * (len(cells) - len(names))
    start = length = length_of_names = 0
    for place, (cell, name) in enumerate(zip(cells, names, strict=False)):
        added, added_name = length_of(cell), length_of(name)
        is_full = length + added + length_of_names + added_name > limit - 1
        if start < place and (is_full or length_of_names + added_name > MAX_NAMES):
            yield _part(cells[start:place], names[start:place])
            start, length, length_of_names = place, 0, 0
        if added + added_name > limit - 1:
            yield from _cut_cell(cell, name, limit)
            start = place + 1
        else:
            length += added + len(CELL_SEPARATOR)
            length_of_names += added_name + len(CELL_SEPARATOR)
    if start < len(cells):
        yield _part(cells[start:], names[start : len(cells)])


def _part(cells: list[str], names: list[str]) -> Row:
    return Row(CELL_SEPARATOR.join(cells), CELL_SEPARATOR.join(names) if any(names) else "")


def _cut_cell(cell: str, name: str, limit: int) -> Iterator[Row]:
    room = limit - length_of(name) - 1 if name else limit
    for text, _ in fitting_parts(cell, room):
        yield Row(text, name)


def _shortened(name: str, limit: int) -> str:
    if length_of(name) <= limit:
        return name
    return name[: end_within(name, 0, limit - 1)].rstrip() + _LEFT_OFF


def _fair_share(lengths: list[int], room: int) -> int:
    """How long each may be so that all fit into the room, when the short ones leave theirs over."""
    waiting = len(lengths)
    for length in sorted(lengths):
        if length > room // waiting:
            break
        room -= length
        waiting -= 1
    return room // max(1, waiting)
