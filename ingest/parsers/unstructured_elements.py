"""From the elements of `unstructured` to ours: kinds, headings, tables row by row."""

from collections.abc import Iterable, Iterator

import lxml.html
from unstructured.documents import elements as theirs

from ingest.domain.elements import Element, ElementKind

_KINDS: dict[type[theirs.Element], ElementKind] = {
    theirs.Title: ElementKind.TITLE,
    theirs.ListItem: ElementKind.LIST_ITEM,
    theirs.Table: ElementKind.TABLE,
    theirs.CodeSnippet: ElementKind.CODE,
    theirs.Header: ElementKind.NOTE,
    theirs.Footer: ElementKind.NOTE,
}
_CELL_SEPARATOR = " | "


def translated(found: Iterable[theirs.Element]) -> Iterator[Element]:
    """The same elements in order, each with the headings above it; page marks are left out."""
    headings = Headings()
    for element in found:
        text = _text_of(element)
        if isinstance(element, theirs.PageBreak) or not text.strip():
            continue
        kind = _KINDS.get(type(element), ElementKind.TEXT)
        if kind is ElementKind.TITLE:
            headings.open(text, _level_of(element))
        yield Element(kind, text, element.metadata.page_number, headings.path)


class Headings:
    """The headings that hold at a place: one of a higher level ends all below it."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    @property
    def path(self) -> tuple[str, ...]:
        """Their texts, outermost first."""
        return tuple(text for _, text in self._open)

    def open(self, text: str, level: int) -> None:
        """Start a section; level 0 is the highest."""
        self._open = [each for each in self._open if each[0] < level]
        self._open.append((level, text))


def table_rows(html: str) -> str:
    """A table's rows, one a line, the cells of each divided by bars; a merged cell once."""
    table = lxml.html.fragment_fromstring(html)
    rows = (_row(row) for row in table.iter("tr"))
    return "\n".join(row for row in rows if row)


def _text_of(element: theirs.Element) -> str:
    html = element.metadata.text_as_html
    if isinstance(element, theirs.Table) and html:
        return table_rows(html)
    if isinstance(element, theirs.CodeSnippet):
        return str(element.text)
    return " ".join(str(element.text).split())


def _level_of(title: theirs.Element) -> int:
    """A document's own title stands above its first-level headings."""
    depth = title.metadata.category_depth or 0
    return 0 if title.metadata.style_name == "Title" else depth + 1


def _row(row: lxml.html.HtmlElement) -> str:
    cells = (" ".join(cell.text_content().split()) for cell in row.iterchildren("td", "th"))
    return _CELL_SEPARATOR.join(cell for cell in cells if cell)
