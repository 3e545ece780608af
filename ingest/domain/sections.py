"""The sections of a document that never share a passage, except where they are a list of lines."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby

from ingest.domain.elements import ElementKind
from ingest.domain.lengths import length_of
from ingest.domain.pieces import Piece

# Up to this length, a top section says too little to be found by itself.
_SHORT_CHARACTERS = 200
# So many of them in a row are a list, as of questions or terms, and no chapters.
_FEWEST_OF_A_LIST = 5


def read_sections(pieces: Iterable[Piece], *, enough: int) -> Iterator[Iterable[Piece]]:
    """The pieces below each top heading; those of a list of short sections together, until enough.

    Shape: each is to be read to its end before the next is asked for, and no more of the document
        is held than is needed to tell what comes.
    A table stays with the one heading that says what it is, and so does what has none in its text.
    Headers and footers, which a parser gives once at the end, are a section of their own, unless
    all of the document is short.
    """
    in_a_row: list[list[Piece]] = []
    for section in _top_sections(pieces, enough):
        opening, is_short = _opening_of(section)
        if in_a_row and not (is_short and in_a_row[0][0].page == opening[0].page):
            yield from _list_or_chapters(in_a_row, enough)
            in_a_row = []
        if is_short:
            in_a_row.append(opening)
        else:
            yield chain(opening, section)
    yield from _list_or_chapters(in_a_row, enough)


def _list_or_chapters(sections: list[list[Piece]], enough: int) -> Iterator[list[Piece]]:
    if len(sections) < _FEWEST_OF_A_LIST:
        yield from sections
        return
    held: list[Piece] = []
    for section in sections:
        held = held + section
        if _length(held) >= enough:
            yield held
            held = []
    if held:
        yield held


def _top_sections(pieces: Iterable[Piece], enough: int) -> Iterator[Iterator[Piece]]:
    for _, section in groupby(_with_top(pieces, enough), key=lambda each: each[0]):
        yield (piece for _, piece in section)


def _with_top(pieces: Iterable[Piece], enough: int) -> Iterator[tuple[object, Piece]]:
    """Each piece with what the others of its section share; headers and footers wait for more."""
    length = 0
    margins: list[Piece] = []
    for piece in pieces:
        length += piece.length + (length_of(piece.glue) if length else 0)
        if _is_margin(piece):
            margins.append(piece)
            continue
        yield from ((each.heading_path[:1], each) for each in margins)
        margins.clear()
        yield piece.heading_path[:1], piece
    are_apart = length >= enough
    yield from (("margins" if are_apart else each.heading_path[:1], each) for each in margins)


def _is_margin(piece: Piece) -> bool:
    return piece.kind is ElementKind.NOTE and not piece.heading_path


def _opening_of(section: Iterator[Piece]) -> tuple[list[Piece], bool]:
    """As much of a section as tells whether it is short; all of it if it is."""
    opening: list[Piece] = []
    for piece in section:
        opening.append(piece)
        if not _may_be_short(opening):
            return opening, False
    return opening, True


def _may_be_short(opening: list[Piece]) -> bool:
    first, last = opening[0], opening[-1]
    return (
        first.is_title
        and last.kind is not ElementKind.TABLE
        and last.page == first.page
        and _length(opening) <= _SHORT_CHARACTERS
    )


def _length(pieces: list[Piece]) -> int:
    glue = sum(length_of(piece.glue) for piece in pieces[1:])
    return glue + sum(piece.length for piece in pieces)
