"""The sections of a document that never share a passage, except where they are a list of lines."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from ingest.domain.elements import ElementKind
from ingest.domain.lengths import length_of
from ingest.domain.pieces import Piece

Section = list[Piece]
# Up to this length, a top section says too little to be found by itself.
_SHORT_CHARACTERS = 200
# So many of them in a row are a list, as of questions or terms, and no chapters.
_FEWEST_OF_A_LIST = 5


def read_sections(pieces: Iterable[Piece], *, enough: int) -> Iterator[Section]:
    """The pieces below each top heading; those of a list of short sections together, until enough.

    A table stays with the one heading that says what it is, and so does what has none in its text.
    Headers and footers, which a parser gives once at the end, are a section of their own, unless
    all of the document is short.
    """
    for (is_short, _), group in groupby(_top_sections(list(pieces), enough), key=_sort_of):
        sections = list(group)
        if is_short and len(sections) >= _FEWEST_OF_A_LIST:
            yield from _joined(sections, enough)
        else:
            yield from sections


def _joined(sections: list[Section], enough: int) -> Iterator[Section]:
    held: Section = []
    for section in sections:
        held = held + section
        if _length(held) >= enough:
            yield held
            held = []
    if held:
        yield held


def _top_sections(pieces: list[Piece], enough: int) -> Iterator[Section]:
    end = len(pieces)
    if _length(pieces) >= enough:
        while end and _is_margin(pieces[end - 1]):
            end -= 1
    for _, section in groupby(pieces[:end], key=lambda piece: piece.heading_path[:1]):
        yield list(section)
    if margins := pieces[end:]:
        yield margins


def _is_margin(piece: Piece) -> bool:
    return piece.kind is ElementKind.NOTE and not piece.heading_path


def _sort_of(section: Section) -> tuple[bool, int | None]:
    """Whether it is short, and the page that it must share to be joined."""
    is_short = (
        section[0].is_title
        and all(piece.kind is not ElementKind.TABLE for piece in section)
        and all(piece.page == section[0].page for piece in section)
        and _length(section) <= _SHORT_CHARACTERS
    )
    return is_short, section[0].page if is_short else None


def _length(pieces: list[Piece]) -> int:
    glue = sum(length_of(piece.glue) for piece in pieces[1:])
    return glue + sum(piece.length for piece in pieces)
