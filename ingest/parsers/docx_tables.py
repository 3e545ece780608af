"""Tables of Word documents: their rows, with each merged cell once."""

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

from docx.oxml.ns import qn

from ingest.parsers.rows import Row
from ingest.parsers.tables import Cell, laid_out

_ROW, _CELL, _TABLE, _PARAGRAPH = qn("w:tr"), qn("w:tc"), qn("w:tbl"), qn("w:p")
_CONTINUED = "continue"

# Word's elements are of classes that its library makes at run time.
_Part = Any
_Words = Callable[[_Part], str]


def rows_of(table: _Part, words: _Words) -> list[Row]:
    """The rows of a table; `words` reads a paragraph. A table in a cell becomes words of it."""
    return laid_out(_cells(row, words) for row in table.iterchildren(_ROW))


def header_rows(table: _Part) -> int:
    """How many rows its author wants repeated on each page."""
    rows = table.iterchildren(_ROW)
    return sum(1 for _ in takewhile(lambda row: row.xpath("./w:trPr/w:tblHeader"), rows))


def ends_of_pages(table: _Part) -> int:
    """How many pages end inside the table; a row that is cut shows it in each of its cells."""
    return sum(
        max(
            (len(cell.xpath(".//w:lastRenderedPageBreak")) for cell in row.iterchildren(_CELL)),
            default=0,
        )
        for row in table.iterchildren(_ROW)
    )


def _cells(row: _Part, words: _Words) -> Iterator[Cell]:
    for _ in range(_number(row, "./w:trPr/w:gridBefore/@w:val", usual=0)):
        yield Cell("")
    for cell in row.iterchildren(_CELL):
        columns = _number(cell, "./w:tcPr/w:gridSpan/@w:val", usual=1)
        # The cells below the first of a merged column are there, and show nothing.
        yield Cell("" if _is_continued(cell) else _shown(cell, words), columns)


def _shown(cell: _Part, words: _Words) -> str:
    parts = cell.iterchildren(_PARAGRAPH, _TABLE)
    texts = (words(part) if part.tag == _PARAGRAPH else _inside(part, words) for part in parts)
    return " ".join(" ".join(texts).split())


def _inside(table: _Part, words: _Words) -> str:
    rows = rows_of(table, words)
    return "; ".join(" ".join(filter(None, row)) for row in rows)


def _is_continued(cell: _Part) -> bool:
    merged = cell.xpath("./w:tcPr/w:vMerge")
    return bool(merged) and merged[0].get(qn("w:val"), _CONTINUED) == _CONTINUED


def _number(part: _Part, place: str, *, usual: int) -> int:
    stated = part.xpath(place)
    return min(int(stated[0]), 100) if stated else usual
