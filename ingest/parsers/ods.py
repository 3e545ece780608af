"""OpenDocument sheets, from their own XML: each cell as the sheet shows it."""

from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.odt_text import cell_words
from ingest.parsers.open_document import TABLE, body_of, content_of, hidden_tables, opened
from ingest.parsers.rows import Row
from ingest.parsers.sheets import read_sheet

_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# The rest of a sheet is one row or cell that is said to stand there a million times.
_MOST_COPIES = 1_000


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
            yield from read_sheet(name, _rows(sheet), is_hidden=is_hidden)
            yield Pages(number, len(sheets))


def _rows(sheet: lxml.etree._Element) -> Iterator[Row]:
    for row in sheet.iter(f"{TABLE}table-row"):
        cells = _cells(row)
        times = _copies(row, "rows") if any(cells) else 1
        yield from repeat(cells, times)


def _cells(row: lxml.etree._Element) -> Row:
    cells: Row = []
    for cell in row.iterchildren(*_CELLS):
        # What a merged cell covers keeps its place and shows nothing.
        shown = cell_words(cell) if cell.tag == _CELLS[0] else ""
        cells += repeat(shown, _copies(cell, "columns"))
    return cells


def _copies(part: lxml.etree._Element, what: str) -> int:
    return min(int(part.get(f"{TABLE}number-{what}-repeated", "1")), _MOST_COPIES)
