"""Excel workbooks by openpyxl, sheet by sheet, row by row; each cell as the sheet shows it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

import lxml.etree
import openpyxl
from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE
from openpyxl.workbook import Workbook
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

from ingest.domain.elements import Element
from ingest.parsers.cell_values import shown_value
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.number_formats import GENERAL
from ingest.parsers.open_xml import opened_package
from ingest.parsers.rows import Row
from ingest.parsers.sheets import HiddenColumns, flagged_row, read_sheet
from ingest.parsers.xlsx_notes import notes_of

_SHOWN = "visible"
_NOT_CALCULATED = "(formula, not calculated)"
_HIDDEN = "hidden"
_ON = frozenset(("1", "true", "on"))


def parse(path: Path) -> Iterator[Element | Pages]:
    """The rows of every sheet under its name, values as the workbook shows them.

    A formula stands with the value that was saved last.
    Raises: Permanent if the file is no readable workbook.
    """
    with (
        told_as_damage(ParseError),
        # Opened here: a stored file has no ending, and by path it would be refused.
        opened_package(path) as file,
        # Streamed, a sheet of any length fits into memory.
        closing(_opened(file)) as workbook,
    ):
        sheets = workbook.worksheets
        yield Pages(0, len(sheets))
        formats = _formats(workbook)
        for number, sheet in enumerate(sheets, start=1):
            is_hidden = sheet.sheet_state != _SHOWN
            notes = notes_of(workbook, sheet)
            yield from read_sheet(
                sheet.title, _rows(sheet, formats), is_hidden=is_hidden, notes=notes
            )
            yield Pages(number, len(sheets))


def _opened(file: IO[bytes]) -> Workbook:
    return openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)


class _SheetParser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """Tells a formula that was never calculated from an empty cell."""

    def parse_cell(self, element: lxml.etree._Element) -> dict[str, Any]:
        cell: dict[str, Any] = super().parse_cell(element)
        # A text of nothing is a result as well.
        is_empty = cell["value"] is None and element.get("t") != "str"
        if is_empty and element.find(FORMULA_TAG) is not None:
            cell["value"] = _NOT_CALCULATED
        return cell


def _formats(workbook: Workbook) -> list[str]:
    """The number format of each style."""
    own = workbook._number_formats
    ids = [style.numFmtId for style in workbook._cell_styles]
    return [
        BUILTIN_FORMATS.get(each, GENERAL)
        if each < BUILTIN_FORMATS_MAX_SIZE
        else own[each - BUILTIN_FORMATS_MAX_SIZE]
        for each in ids
    ]


def _rows(sheet: ReadOnlyWorksheet, formats: list[str]) -> Iterator[Row]:
    book = sheet.parent
    with sheet._get_source() as source:
        parser = _SheetParser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        hidden: HiddenColumns | None = None
        before = 0
        for number, cells in parser.parse():
            if number > before + 1:
                # However many rows are left out, one empty row divides as well.
                yield []
            before = number
            if hidden is None:
                hidden = HiddenColumns(_hidden_columns(parser))
            row = hidden.flagged(_shown(cells, formats))
            form = parser.row_dimensions.pop(str(number), {})
            yield flagged_row(row) if form.get(_HIDDEN) in _ON else row


def _shown(cells: list[dict[str, Any]], formats: list[str]) -> Row:
    row: Row = []
    for cell in cells:
        if cell["value"] is None:
            continue
        text = shown_value(cell["value"], formats[cell["style_id"]])
        row += [""] * (cell["column"] - 1 - len(row))
        row.append(" ".join(text.split()))
    return row


def _hidden_columns(parser: _SheetParser) -> Iterator[range]:
    """The columns that are not shown, counted from 0."""
    for column in parser.column_dimensions.values():
        if column.get(_HIDDEN) in _ON:
            yield range(int(column["min"]) - 1, int(column["max"]))
