"""The smallest parts a document is cut into: sentences, list items, rows, code lines."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ingest.domain.elements import Box, Element, ElementKind
from ingest.domain.lengths import length_of
from ingest.domain.sentences import fitting_parts, has_ended, joint, sentences
from ingest.domain.tables import read_table

_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
_LINED = frozenset((ElementKind.TABLE, ElementKind.CODE))


# A tuple, which is made in a third of the time: a document has thousands of them.
class Piece(NamedTuple):
    """Text that is never cut further, and where it stands.

    Shape: `length` is that of the text alone, as an embedder counts it; `glue` is what divides it
        from the piece before; `names` is the line of column names that a row must stand under, and
        `is_names` says that it is that line itself; `table_length` is that of the whole table, at
        its first row.
    """

    text: str
    length: int
    glue: str
    kind: ElementKind
    page: int | None
    heading_path: tuple[str, ...]
    box: Box | None = None
    names: str = ""
    is_names: bool = False
    table_length: int = 0

    @property
    def is_title(self) -> bool:
        """Whether it is a heading."""
        return self.kind is ElementKind.TITLE


def read_pieces(elements: Iterable[Element], *, longest: int, longest_row: int) -> Iterator[Piece]:
    """The pieces of all elements, none longer than `longest`; of a table, than `longest_row`.

    A sentence that runs on into the next element is glued as its script does, else by a line end.
    """
    before: Element | None = None
    for found in elements:
        if not (text := _without_margin(found)):
            continue
        element = found if text == found.text else replace(found, text=text)
        runs_on = before is not None and _runs_on(before, element)
        glue = joint(before.text, text) if before and runs_on else "\n"
        limit = longest_row if element.kind is ElementKind.TABLE else longest
        yield from _cut(element, glue, limit)
        before = element


def _without_margin(element: Element) -> str:
    if element.kind not in _LINED:
        return element.text.strip()
    # What stands before the first word of a row or of a line of code has its meaning.
    return _BLANK_LINES.sub("", element.text).rstrip()


def _runs_on(before: Element, element: Element) -> bool:
    are_text = before.kind is ElementKind.TEXT and element.kind is ElementKind.TEXT
    return (
        are_text
        and before.heading_path == element.heading_path
        and not has_ended(before.text)
        and before.page != element.page
    )


def _cut(element: Element, glue: str, limit: int) -> Iterator[Piece]:
    """The element's pieces, the first with this glue."""
    if element.kind is ElementKind.TABLE:
        yield from _rows(element, glue, limit)
    elif element.kind is ElementKind.CODE:
        yield from _lines(element, glue, limit)
    else:
        for sentence, next_glue in sentences(element.text):
            piece = _piece(element, sentence, glue)
            if piece.length <= limit:
                yield piece
            else:
                yield from _fitted(piece, limit)
            glue = next_glue


def _rows(element: Element, glue: str, limit: int) -> Iterator[Piece]:
    kind, page, path, box = element.kind, element.page, element.heading_path, element.box
    whole = length_of(element.text)
    for text, names, is_names in read_table(element.text, limit):
        length = length_of(text)
        yield Piece(text, length, glue, kind, page, path, box, names, is_names, whole)
        glue, whole = "\n", 0


def _lines(element: Element, glue: str, limit: int) -> Iterator[Piece]:
    """The whole block if it fits, else line by line."""
    is_whole = length_of(element.text) <= limit
    for line in [element.text] if is_whole else element.text.split("\n"):
        if line.strip():
            yield from _fitted(_piece(element, line.rstrip(), glue), limit)
            glue = "\n"


def _piece(element: Element, text: str, glue: str) -> Piece:
    length, path = length_of(text), element.heading_path
    return Piece(text, length, glue, element.kind, element.page, path, element.box)


def _fitted(piece: Piece, limit: int) -> Iterator[Piece]:
    if piece.length <= limit:
        yield piece
        return
    glue = piece.glue
    for text, next_glue in fitting_parts(piece.text, limit):
        yield piece._replace(text=text, length=length_of(text), glue=glue)
        glue = next_glue
