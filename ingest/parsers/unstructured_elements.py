"""From the elements of `unstructured` to ours: kinds, headings, tables row by row."""

from collections.abc import Iterable, Iterator

from unstructured.documents import elements as theirs

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.rows import Row, read_table


class Note(theirs.Text):
    """Words beside the text: a footnote, a comment."""


class RowsTable(theirs.Table):
    """A table whose rows are known."""

    def __init__(self, rows: list[Row], *, header_rows: int = 0, page: int | None = None) -> None:
        super().__init__(
            " ".join(filter(None, (cell for row in rows for cell in row))),
            metadata=theirs.ElementMetadata(page_number=page),
        )
        self.rows = rows
        self.header_rows = header_rows


_KINDS: dict[type[theirs.Element], ElementKind] = {
    theirs.Title: ElementKind.TITLE,
    theirs.ListItem: ElementKind.LIST_ITEM,
    theirs.Table: ElementKind.TABLE,
    theirs.CodeSnippet: ElementKind.CODE,
    Note: ElementKind.NOTE,
}


def translated(found: Iterable[theirs.Element]) -> Iterator[Element]:
    """The same elements in order, each with the headings above it; page marks are left out."""
    headings = Headings()
    for element in found:
        if isinstance(element, RowsTable):
            page = element.metadata.page_number
            rows, header_rows = element.rows, element.header_rows
            yield from read_table(rows, headings.path, page=page, header_rows=header_rows)
            continue
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


def _text_of(element: theirs.Element) -> str:
    if isinstance(element, theirs.CodeSnippet):
        return str(element.text)
    return " ".join(str(element.text).split())


def _level_of(title: theirs.Element) -> int:
    """A document's own title stands above its first-level headings."""
    depth = title.metadata.category_depth or 0
    return 0 if title.metadata.style_name == "Title" else depth + 1
