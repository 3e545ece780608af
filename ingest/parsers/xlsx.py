"""Excel workbooks by openpyxl, sheet by sheet, row by row; each cell as the sheet shows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.workbook import Workbook
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from ingest.domain.elements import Element
from ingest.parsers.cell_values import shown_value
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.rows import Row
from ingest.parsers.sheets import read_sheet

_SHOWN = "visible"


def parse(path: Path) -> Iterator[Element | Pages]:
    """The rows of every sheet under its name, values as the workbook shows them.

    A formula stands with the value that was saved last.
    Raises: Permanent if the file is no readable workbook.
    """
    # Opened here: a stored file has no ending, and by path it would be refused.
    with path.open("rb") as file, told_as_damage(ParseError), closing(_opened(file)) as workbook:
        sheets = workbook.worksheets
        yield Pages(0, len(sheets))
        for number, sheet in enumerate(sheets, start=1):
            is_hidden = sheet.sheet_state != _SHOWN
            yield from read_sheet(sheet.title, _rows(sheet), is_hidden=is_hidden)
            yield Pages(number, len(sheets))


def _opened(file: BinaryIO) -> Workbook:
    # Streamed, a sheet of any length fits into memory.
    return openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)


def _rows(sheet: ReadOnlyWorksheet) -> Iterator[Row]:
    # Many programs state a wrong size, and the stated columns would all be filled up.
    sheet.reset_dimensions()
    for row in sheet.iter_rows():
        yield [" ".join(shown_value(cell.value, cell.number_format).split()) for cell in row]
