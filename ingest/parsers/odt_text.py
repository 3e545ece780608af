"""The parts of an OpenDocument text in reading order."""

from collections.abc import Iterator

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.open_document import DRAWING, OFFICE, TABLE, TEXT
from ingest.parsers.rows import Row, read_table
from ingest.parsers.tables import Cell, laid_out
from ingest.parsers.unstructured_elements import Headings

_PARAGRAPHS = frozenset((f"{TEXT}p", f"{TEXT}h"))
# Deleted words, page numbers, and lists of what stands elsewhere in the document.
_UNREAD = frozenset(
    f"{TEXT}{name}"
    for name in (
        "tracked-changes", "ruby-text", "page-number", "page-count", "table-of-content",
        "alphabetical-index", "illustration-index", "table-index", "object-index",
    )
)  # fmt: skip
# What stands inside a paragraph, but beside its sentence; drawings as well.
_NOTE, _COMMENT = f"{TEXT}note", f"{OFFICE}annotation"
_LINK = f"{DRAWING}a"
_AUTHOR = "{http://purl.org/dc/elements/1.1/}creator"
_NOTE_KINDS = {"footnote": "Footnote", "endnote": "Endnote"}


class Reader:
    """Walks through a text with the headings that hold at each place."""

    def __init__(self, title_styles: frozenset[str]) -> None:
        self._title_styles = title_styles
        self._headings = Headings()

    def read(
        self, parent: lxml.etree._Element, kind: ElementKind = ElementKind.TEXT
    ) -> Iterator[Element]:
        """The elements below this part; its paragraphs are of this kind."""
        for part in parent:
            if part.tag in _UNREAD:
                continue
            if part.tag in _PARAGRAPHS:
                yield self._paragraph(part, kind)
                yield from self._asides(part)
            elif part.tag == f"{TABLE}table":
                yield from self._table(part)
            elif part.tag == _COMMENT:
                yield self._element(ElementKind.NOTE, said_of(part))
            else:
                is_item = part.tag == f"{TEXT}list-item"
                yield from self.read(part, ElementKind.LIST_ITEM if is_item else kind)

    def _table(self, part: lxml.etree._Element) -> Iterator[Element]:
        yield from read_table(rows_of(part), self._headings.path, header_rows=header_rows_of(part))
        for comment in part.iter(_COMMENT):
            yield self._element(ElementKind.NOTE, said_of(comment))

    def _paragraph(self, part: lxml.etree._Element, kind: ElementKind) -> Element:
        text = words(part)
        level = self._level_of(part)
        if level is None or not text:
            return self._element(kind, text)
        self._headings.open(text, level)
        return self._element(ElementKind.TITLE, text)

    def _level_of(self, part: lxml.etree._Element) -> int | None:
        """A heading's level, 0 for the title of the document, None for no heading."""
        if part.get(f"{TEXT}style-name") in self._title_styles:
            return 0
        return int(part.get(f"{TEXT}outline-level", "1")) if part.tag == f"{TEXT}h" else None

    def _asides(self, part: lxml.etree._Element) -> Iterator[Element]:
        for aside in _hanging_on(part):
            if aside.tag == _COMMENT:
                yield self._element(ElementKind.NOTE, said_of(aside))
            elif aside.tag == _NOTE:
                yield self._element(ElementKind.NOTE, _labelled(aside))
            else:
                yield from self.read(aside)

    def _element(self, kind: ElementKind, text: str) -> Element:
        return Element(kind, text, None, self._headings.path)


def words(paragraph: lxml.etree._Element) -> str:
    """A paragraph's own text, without the notes and boxes that hang on it."""
    return " ".join("".join(_pieces(paragraph)).split())


def said_of(comment: lxml.etree._Element) -> str:
    """A comment with who wrote it; "" if it says nothing."""
    author = " ".join((comment.findtext(_AUTHOR) or "").split())
    said = " ".join(filter(None, map(words, comment.iter(*_PARAGRAPHS))))
    return f"Comment by {author}: {said}" if said and author else said and f"Comment: {said}"


def _labelled(note: lxml.etree._Element) -> str:
    kind = _NOTE_KINDS.get(note.get(f"{TEXT}note-class", ""), "Note")
    bodies = note.iterchildren(f"{TEXT}note-body")
    said = " ".join(filter(None, (words(p) for body in bodies for p in body.iter(*_PARAGRAPHS))))
    return said and f"{kind}: {said}"


def _hanging_on(part: lxml.etree._Element) -> Iterator[lxml.etree._Element]:
    """The notes, comments and drawings in a paragraph, not those in one of these."""
    for inner in part:
        if _is_aside(inner):
            yield inner
        elif inner.tag not in _UNREAD:
            yield from _hanging_on(inner)


def _is_aside(part: lxml.etree._Element) -> bool:
    if part.tag in {_NOTE, _COMMENT}:
        return True
    return isinstance(part.tag, str) and part.tag.startswith(DRAWING) and part.tag != _LINK


def _pieces(part: lxml.etree._Element) -> Iterator[str]:
    yield part.text or ""
    for inner in part:
        if inner.tag in {f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"}:
            yield " "
        elif inner.tag not in _UNREAD and not _is_aside(inner):
            yield from _pieces(inner)
        yield inner.tail or ""


def rows_of(table: lxml.etree._Element) -> list[Row]:
    """The rows; a merged cell once, a table in a cell as the cell's words."""
    cells = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
    return laid_out(
        # What a merged cell covers is there, and shows nothing.
        [
            Cell(cell_words(each) if each.tag == cells[0] else "")
            for each in row.iterchildren(*cells)
        ]
        for row in _own_rows(table)
    )


def header_rows_of(table: lxml.etree._Element) -> int:
    """How many rows its author wants repeated on each page."""
    head = next(table.iterchildren(f"{TABLE}table-header-rows"), None)
    return 0 if head is None else sum(1 for _ in head.iterchildren(f"{TABLE}table-row"))


def _own_rows(table: lxml.etree._Element) -> Iterator[lxml.etree._Element]:
    for row in table.iter(f"{TABLE}table-row"):
        if next(row.iterancestors(f"{TABLE}table")) is table:
            yield row


def cell_words(cell: lxml.etree._Element) -> str:
    """What a cell shows, its paragraphs in one line; not what was remarked on it."""
    paragraphs = (
        paragraph
        for paragraph in cell.iter(*_PARAGRAPHS)
        if next(paragraph.iterancestors(_COMMENT), None) is None
    )
    return " ".join(filter(None, map(words, paragraphs)))
