"""The smallest parts a document is cut into: sentences, list items, rows, code lines."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ingest.domain.elements import Element, ElementKind

_SENTENCE_BORDER = re.compile(
    # A stop, closing quotes and footnote marks, white space, no small letter...
    r"(?<=[.!?…])(?:[\"'”’»)\]]|\[\d{1,3}\])*(\s+)(?=[^\sa-zà-öø-ÿ])"  # noqa: RUF001 - quotation marks
    # ... or a full-width stop, which no white space follows.
    r"|(?<=[。！？])[」』”]*(\s*)(?=\S)"  # noqa: RUF001 - full-width marks
)
# What a full stop belongs to: initials, a list number, a shortened word.
_ABBREVIATION = re.compile(
    r"(?:^\(?\d{1,3}|(?:^|[\s(])(?:(?:\w\.)*[^\W\d_]"
    r"|[Mm]rs?|[Mm]s|[DdSs][rt]|[Pp]rof|[Nn][or]|[Vv]s|[Cc]f|[Cc]a|[Ff]ig|[Ii]nc|[Cc]o|[Ll]td"
    r"|[Aa]rt|[Ss]ec|[Bb]zw|[Zz]t?B|[Aa]l))\.$"
)
_LONGEST_ABBREVIATION = 16
_ENDED = re.compile(r"[.!?:;…。！？][\"'”’»)\]」』]*$")  # noqa: RUF001 - full-width marks
_WORD_BORDER = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that is never cut further, and where it stands.

    Shape: `glue` is what divides it from the piece before; `header` is the first row of the table
    it is a later row of; `is_cut` says that it is a part of something without a natural border.
    """

    text: str
    glue: str
    kind: ElementKind
    page: int | None
    heading_path: tuple[str, ...]
    header: str = ""
    is_cut: bool = False


def read_pieces(elements: Iterable[Element], limit: int) -> Iterator[Piece]:
    """The pieces of all elements, none longer than `limit` together with its header.

    A sentence that runs on into the next element is glued with a space, else with a line end.
    """
    before: Element | None = None
    for element in elements:
        if not (text := element.text.strip()):
            continue
        element = replace(element, text=text)
        glue = " " if before is not None and _runs_on(before, element) else "\n"
        first, *rest = _cut(element, limit)
        yield replace(first, glue=glue)
        yield from rest
        before = element


def words_at_end(text: str, limit: int) -> str:
    """The last whole words of a text that fit into `limit` characters, "" if none does."""
    if len(text) <= limit:
        return text
    border = _WORD_BORDER.search(text, len(text) - limit - 1)
    return "" if border is None else text[border.end() :]


def _runs_on(before: Element, element: Element) -> bool:
    are_text = before.kind is ElementKind.TEXT and element.kind is ElementKind.TEXT
    return (
        are_text
        and before.heading_path == element.heading_path
        and _ENDED.search(before.text) is None
        and before.page != element.page
    )


def _cut(element: Element, limit: int) -> Iterator[Piece]:
    """The element's pieces; the first has no glue."""
    if element.kind in {ElementKind.TABLE, ElementKind.CODE}:
        yield from _rows(element, limit)
        return
    glue = ""
    for sentence, next_glue in _sentences(element.text):
        yield from _fitted(_piece(element, sentence, glue), limit)
        glue = next_glue


def _rows(element: Element, limit: int) -> Iterator[Piece]:
    if len(element.text) <= limit:
        yield _piece(element, element.text, "")
        return
    first, *rest = element.text.split("\n")
    is_headed = element.kind is ElementKind.TABLE and len(first) <= limit // 3
    header = first if is_headed else ""
    room = limit - len(header) - 1 if header else limit
    yield from _fitted(_piece(element, first, ""), limit)
    for row in rest:
        if row.strip():
            yield from _fitted(replace(_piece(element, row, "\n"), header=header), room)


def _piece(element: Element, text: str, glue: str) -> Piece:
    return Piece(text, glue, element.kind, element.page, element.heading_path)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence with the white space that follows it."""
    start = 0
    for border in _SENTENCE_BORDER.finditer(text):
        space = border.group(1) or border.group(2) or ""
        end = border.end() - len(space)
        # Only the end is looked at: a text of nothing but initials is still read once.
        if _ABBREVIATION.search(text[max(start, end - _LONGEST_ABBREVIATION) : end]) is None:
            yield text[start:end], space
            start = border.end()
    yield text[start:], ""


def _fitted(piece: Piece, limit: int) -> Iterator[Piece]:
    """The piece, cut at words, and where there are none at characters, if it is too long."""
    text, glue, start = piece.text, piece.glue, 0
    is_cut = len(text) > limit
    while len(text) - start > limit:
        end, next_start = _last_border(text, start, limit)
        yield replace(piece, text=text[start:end], glue=glue, is_cut=True)
        glue, start = text[end:next_start], next_start
    yield replace(piece, text=text[start:], glue=glue, is_cut=is_cut)


def _last_border(text: str, start: int, limit: int) -> tuple[int, int]:
    """Where the last white space that the limit allows starts and ends; the limit if none."""
    end = start + limit
    borders = list(_WORD_BORDER.finditer(text, start + limit // 2, end + 1))
    return borders[-1].span() if borders else (end, end)
