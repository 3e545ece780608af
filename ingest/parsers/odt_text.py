"""The parts of an OpenDocument text in reading order."""

from collections.abc import Iterator

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.open_document import DRAWING, OFFICE, TABLE, TEXT
from ingest.parsers.unstructured_elements import Headings

_PARAGRAPHS = frozenset((f"{TEXT}p", f"{TEXT}h"))
# Deleted words, remarks, page numbers, and lists of what stands elsewhere in the document.
_UNREAD = frozenset(
    f"{TEXT}{name}"
    for name in (
        "tracked-changes", "ruby-text", "page-number", "page-count", "table-of-content",
        "alphabetical-index",
    )
) | {f"{OFFICE}annotation"}  # fmt: skip
# What stands inside a paragraph, but beside its sentence.
_NOTE = f"{TEXT}note"
_ASIDE = frozenset((_NOTE, f"{DRAWING}text-box"))
_CELL_SEPARATOR = " | "


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
                yield self._element(ElementKind.TABLE, rows_of(part))
            else:
                is_item = part.tag == f"{TEXT}list-item"
                yield from self.read(part, ElementKind.LIST_ITEM if is_item else kind)

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
        for aside in part.iter(*_ASIDE):
            # What hangs on an aside comes with it.
            if next(aside.iterancestors(*_ASIDE, *_PARAGRAPHS)) is not part:
                continue
            if aside.tag == _NOTE:
                for body in aside.iterchildren(f"{TEXT}note-body"):
                    yield from self.read(body, ElementKind.NOTE)
            else:
                yield from self.read(aside)

    def _element(self, kind: ElementKind, text: str) -> Element:
        return Element(kind, text, None, self._headings.path)


def words(paragraph: lxml.etree._Element) -> str:
    """A paragraph's own text, without the notes and boxes that hang on it."""
    return " ".join("".join(_pieces(paragraph)).split())


def _pieces(part: lxml.etree._Element) -> Iterator[str]:
    yield part.text or ""
    for inner in part:
        if inner.tag in {f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"}:
            yield " "
        elif inner.tag not in _ASIDE and inner.tag not in _UNREAD:
            yield from _pieces(inner)
        yield inner.tail or ""


def rows_of(table: lxml.etree._Element) -> str:
    """One row a line; a merged cell once, a table in a cell as the cell's words."""
    own = (
        row
        for row in table.iter(f"{TABLE}table-row")
        if next(row.iterancestors(f"{TABLE}table")) is table
    )
    rows = ([cell_words(cell) for cell in row.iterchildren(f"{TABLE}table-cell")] for row in own)
    return "\n".join(_CELL_SEPARATOR.join(filter(None, row)) for row in rows if any(row))


def cell_words(cell: lxml.etree._Element) -> str:
    """What a cell shows, its paragraphs in one line."""
    return " ".join(filter(None, map(words, cell.iter(*_PARAGRAPHS))))
