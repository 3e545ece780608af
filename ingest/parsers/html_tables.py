"""Tables of pages: those with data as rows, those that only lay out a page as what they hold."""

from collections.abc import Iterator

import lxml.etree

from ingest.parsers import unstructured_setup  # noqa: F401 - must come before unstructured
from ingest.parsers.tables import Cell, laid_out
from ingest.parsers.unstructured_elements import RowsTable

from unstructured.documents import elements as theirs  # isort: skip
from unstructured.partition.html import parser  # isort: skip

_GROUPS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")
_BLOCKS_OF_A_PAGE = ("h1", "h2", "h3", "h4", "h5", "h6", "table", "article", "section", "hr")
_LAYOUT_ROLES = frozenset(("presentation", "none"))
_UNREAD = (parser.RemovedBlock, parser.RemovedPhrasing)


class PageTable(parser.Flow):
    """A table as the rows that a reader sees, or as the page that it lays out."""

    def iter_elements(self) -> Iterator[theirs.Element]:
        """Its caption and rows, or the parts of the page in its cells."""
        rows = list(_rows(self))
        if _is_layout(self, rows):
            for part in (*self.iterchildren("caption"), *_cells(rows)):
                yield from part.iter_elements()
            return
        for caption in self.iterchildren("caption"):
            yield from caption.iter_elements()
        table = laid_out(map(_read_row, rows))
        if table:
            yield RowsTable(table, header_rows=_header_rows(rows))


def words_of(part: lxml.etree._Element) -> str:
    """What a part of a page says, in one line."""
    return " ".join("".join(_pieces(part)).split())


def _rows(table: lxml.etree._Element) -> Iterator[lxml.etree._Element]:
    """Its own rows: those of a table in a cell are that one's."""
    for part in table:
        if part.tag == "tr":
            yield part
        elif part.tag in _GROUPS:
            yield from part.iterchildren("tr")


def _cells(rows: list[lxml.etree._Element]) -> Iterator[parser.Flow]:
    for row in rows:
        yield from row.iterchildren(*_CELLS)


def _is_layout(table: lxml.etree._Element, rows: list[lxml.etree._Element]) -> bool:
    if (table.get("role") or "").strip().lower() in _LAYOUT_ROLES:
        return True
    cells = list(_cells(rows))
    if any(cell.tag == "th" for cell in cells) or next(table.iterchildren("thead"), None):
        return False
    blocks = (part for part in table.iter(*_BLOCKS_OF_A_PAGE) if part is not table)
    return len(cells) == 1 or next(blocks, None) is not None


def _read_row(row: lxml.etree._Element) -> Iterator[Cell]:
    for cell in row.iterchildren(*_CELLS):
        yield Cell(words_of(cell), _span(cell, "colspan"), _span(cell, "rowspan"))


def _span(cell: lxml.etree._Element, name: str) -> int:
    stated = (cell.get(name) or "").strip()
    return int(stated) if stated.isdecimal() and len(stated) < 6 else 1


def _header_rows(rows: list[lxml.etree._Element]) -> int:
    """How many rows at the top hold nothing but names, if they are said to be names."""
    number = 0
    for row in rows:
        names = list(row.iterchildren(*_CELLS))
        is_named = all(cell.tag == "th" for cell in names)
        if not names or not (is_named or row.getparent().tag == "thead"):
            break
        number += 1
    return number


def _pieces(part: lxml.etree._Element) -> Iterator[str]:
    """The words below a part; those of two blocks never run together."""
    yield part.text or ""
    for inner in part:
        gap = "" if _is_inside_line(inner) else " "
        yield gap
        if isinstance(inner, PageTable):
            rows = laid_out(map(_read_row, _rows(inner)))
            yield "; ".join(" ".join(filter(None, row)) for row in rows)
        elif inner.tag == "img":
            yield inner.get("alt") or ""
        elif not isinstance(inner, _UNREAD):
            yield from _pieces(inner)
        yield gap + (inner.tail or "")


def _is_inside_line(part: lxml.etree._Element) -> bool:
    return part.tag != "br" and getattr(part, "is_phrasing", True)


parser.element_class_lookup.get_namespace(None).update(
    {"table": PageTable, **dict.fromkeys(("td", "th", "caption"), parser.Flow)}
)
