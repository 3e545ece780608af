"""Rows of cells as passages that can be read alone: the column names go along with each."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice, takewhile

from ingest.domain.elements import Element, ElementKind

Row = list[str]
_Found = tuple[ElementKind, str]

_SEPARATOR = " | "
# The chunker keeps a table of this length whole, and its header with it.
_GROUP_CHARACTERS = 800
_LONGEST_HEADER = _GROUP_CHARACTERS // 3
_LONGEST_NAME = 80
_MOST_HEADER_ROWS = 4
_LOOK_AHEAD_ROWS = 20
# A year is as good a name for a column as any word.
_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)[-0-9.,%+()€$£ ]+")


def read_rows(
    rows: Iterable[Row], heading_path: tuple[str, ...] = (), *, page: int | None = None
) -> Iterator[Element]:
    """The blocks of rows that empty rows divide, in groups that repeat their column names.

    Where the names are too long for one line, each row is a record: every value with its name.
    Lines above the names stay with the first group.
    """
    for kind, text in _found(rows):
        yield Element(kind, text, page, heading_path)


def read_table(
    rows: Iterable[Row],
    heading_path: tuple[str, ...] = (),
    *,
    page: int | None = None,
    header_rows: int = 0,
) -> Iterator[Element]:
    """One table as `read_rows` reads it; its first rows name its columns if it says so itself."""
    lines = [row for row in rows if any(row)]
    if not 0 < header_rows < len(lines):
        yield from read_rows(lines, heading_path, page=page)
        return
    above, header, below = lines[: header_rows - 1], lines[header_rows - 1], lines[header_rows:]
    for kind, text in _elements(above, header, below, iter(())):
        yield Element(kind, text, page, heading_path)


def _found(rows: Iterable[Row]) -> Iterator[_Found]:
    held: list[Row] = []
    for known, rest in _blocks(rows):
        above, header, below = _parted(known)
        if held and not header and _has_numbers(known):
            # Names, then a blank row, then what they name.
            header = max(held, key=_filled)
            above = [row for row in held if row is not header] + above
        elif held:
            yield from _elements(*_parted(held), iter(()))
        held = known if _are_names_alone(known) else []
        if not held:
            yield from _elements(above, header, below, rest)
    if held:
        yield from _elements(*_parted(held), iter(()))


def _blocks(rows: Iterable[Row]) -> Iterator[tuple[list[Row], Iterator[Row]]]:
    """The first rows of each block, and those that follow them before an empty one."""
    lines = iter(rows)
    while (first := next(filter(any, lines), None)) is not None:
        block = chain([first], takewhile(any, lines))
        yield list(islice(block, _LOOK_AHEAD_ROWS)), block


def _parted(rows: list[Row]) -> tuple[list[Row], Row, list[Row]]:
    """What stands above the column names, the names if there are any, and what follows."""
    first = next((place for place, row in enumerate(rows) if _filled(row) > 1), 0)
    opening = takewhile(_may_name_columns, rows[first : first + _MOST_HEADER_ROWS])
    named = [row for row in opening if _filled(row) > 1]
    if not named or len(rows) == first + 1:
        return rows[:first], [], rows[first:]
    header = max(named, key=_filled) if _has_numbers(rows) else named[0]
    place = next(index for index, row in enumerate(rows) if row is header)
    return rows[:place], header, rows[place + 1 :]


def _are_names_alone(rows: list[Row]) -> bool:
    is_short = len(rows) < _MOST_HEADER_ROWS and not _has_numbers(rows)
    return is_short and any(_filled(row) > 1 for row in rows)


def _elements(
    above: list[Row], header: Row, below: list[Row], rest: Iterator[Row]
) -> Iterator[_Found]:
    cut = partial(_without_margin, min(map(_margin, filter(any, [header, *below])), default=0))
    header, rows = cut(header), map(cut, chain(below, rest))
    names, lines = _line(header), map(_line, rows)
    if len(names) > _LONGEST_HEADER:
        lines, names = map(partial(_record, header), rows), ""
    # A caption that is cut off from its table says nothing.
    captions = [_SEPARATOR.join(filter(None, row)) for row in above]
    if sum(map(len, captions)) > _LONGEST_HEADER:
        yield ElementKind.TEXT, "\n".join(captions)
        captions = []
    for text in _groups(lines, names, captions):
        yield ElementKind.TABLE, text


def _may_name_columns(row: Row) -> bool:
    return not _has_numbers([row]) and max(map(len, row)) <= _LONGEST_NAME


def _has_numbers(rows: list[Row]) -> bool:
    return any(_NUMBER.fullmatch(cell) for row in rows for cell in row)


def _margin(row: Row) -> int:
    return next(place for place, cell in enumerate(row) if cell)


def _without_margin(margin: int, row: Row) -> Row:
    return row if any(row[:margin]) else row[margin:]


def _filled(row: Row) -> int:
    return sum(cell != "" for cell in row)


def _line(row: Row) -> str:
    """The cells divided by bars; an empty one keeps its place unless none follows."""
    return _SEPARATOR.join(row).rstrip(" |")


def _record(names: Row, row: Row) -> str:
    padded = chain(names, iter(str, None))
    cells = zip(row, padded, strict=False)
    return "; ".join(f"{name}: {cell}" if name else cell for cell, name in cells if cell)


def _groups(lines: Iterable[str], names: str, captions: list[str]) -> Iterator[str]:
    """The lines in texts of a length that is kept whole, each under the names."""
    header = [names] if names else []
    group = captions + header
    length, is_empty = len("\n".join(group)), True
    for line in lines:
        if not is_empty and length + len(line) >= _GROUP_CHARACTERS:
            yield "\n".join(group)
            group, length = [*header], len(names)
        length += len(line) + bool(group)
        group.append(line)
        is_empty = False
    if group:
        yield "\n".join(group)
