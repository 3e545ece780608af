"""OpenDocument sheets, from their own XML: each cell as the sheet shows it."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.odt_text import cell_words, said_of
from ingest.parsers.open_document import (
    OFFICE,
    TABLE,
    TEXT,
    body_of,
    content_of,
    hidden_tables,
    opened,
)
from ingest.parsers.rows import Row
from ingest.parsers.sheets import HiddenColumns, flagged_row, read_sheet

_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# The rest of a sheet is one row or cell that is said to stand there a million times.
_MOST_COPIES = 1_000
_SHOWN = "visible"
_VALUES = ("string-value", "date-value", "time-value", "boolean-value", "value")
_NOT_CALCULATED = "(formula, not calculated)"


def parse(path: Path) -> Iterator[Element | Pages]:
    """The rows of every sheet under its name, values as the sheet shows them.

    Raises: Permanent if the file is damaged or locked.
    """
    with opened(path) as container:
        content = content_of(container)
        hidden = hidden_tables(content)
        sheets = list(body_of(content, "spreadsheet").iterchildren(f"{TABLE}table"))
        yield Pages(0, len(sheets))
        for number, sheet in enumerate(sheets, start=1):
            name = sheet.get(f"{TABLE}name", f"Sheet {number}")
            is_hidden = sheet.get(f"{TABLE}style-name") in hidden
            notes = (said_of(each) for each in sheet.iter(f"{OFFICE}annotation"))
            yield from read_sheet(name, _rows(sheet), is_hidden=is_hidden, notes=notes)
            yield Pages(number, len(sheets))


def _rows(sheet: lxml.etree._Element) -> Iterator[Row]:
    hidden = HiddenColumns(_hidden_columns(sheet))
    for row in sheet.iter(f"{TABLE}table-row"):
        cells = hidden.flagged(_cells(row))
        times = _copies(row, "rows") if any(cells) else 1
        is_hidden = row.get(f"{TABLE}visibility", _SHOWN) != _SHOWN
        yield from repeat(flagged_row(cells) if is_hidden else cells, times)


def _hidden_columns(sheet: lxml.etree._Element) -> Iterator[range]:
    """The columns that are not shown, counted from 0."""
    start = 0
    for column in sheet.iter(f"{TABLE}table-column"):
        end = start + int(column.get(f"{TABLE}number-columns-repeated", "1"))
        if column.get(f"{TABLE}visibility", _SHOWN) != _SHOWN:
            yield range(start, end)
        start = end


def _cells(row: lxml.etree._Element) -> Row:
    cells: Row = []
    for cell in row.iterchildren(*_CELLS):
        # What a merged cell covers keeps its place and shows nothing.
        shown = _shown(cell) if cell.tag == _CELLS[0] else ""
        cells += repeat(shown, _copies(cell, "columns"))
    return cells


def _shown(cell: lxml.etree._Element) -> str:
    """The words of a cell; of one that was never shown its value, or that it was not calculated."""
    if words := cell_words(cell):
        return words
    kept = (cell.get(f"{OFFICE}{name}") for name in _VALUES)
    if value := next(filter(None, kept), ""):
        return " ".join(value.split())
    is_open = cell.get(f"{TABLE}formula") is not None and cell.find(f"{TEXT}p") is None
    return _NOT_CALCULATED if is_open else ""


def _copies(part: lxml.etree._Element, what: str) -> int:
    return min(int(part.get(f"{TABLE}number-{what}-repeated", "1")), _MOST_COPIES)
