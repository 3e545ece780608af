"""From the elements of a document to chunks of a size that an embedder reads whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from ingest.domain.elements import Element, ElementKind
from ingest.domain.pieces import Piece, read_pieces, words_at_end

MAX_CHARACTERS = 1_000
# A section shorter than this takes in the next one rather than stand alone.
ENOUGH_CHARACTERS = 300
MAX_OVERLAP_CHARACTERS = 150
# Leaves room for a heading or an overlap before even the longest piece.
_LONGEST_PIECE = 800

_SPEECH = frozenset((ElementKind.TEXT, ElementKind.LIST_ITEM, ElementKind.NOTE))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage that is found, shown and cited as one.

    Shape: `ordinal` counts from 0; `page` is that of its first own words; `heading` names those
        that hold for all of it, the outermost first, and is "" outside any.
    """

    ordinal: int
    text: str
    page: int | None
    heading: str
    kind: str

    @property
    def characters(self) -> int:
        """The length of the text."""
        return len(self.text)


def chunk(elements: Iterable[Element]) -> list[Chunk]:
    """The document in passages of at most 1,000 characters, the same each time.

    A passage never holds two top headings, and a heading stands in the text of its passage.
    A passage cut off inside a section repeats the sentence before, if that is short.
    """
    passages = _passages(read_pieces(elements, _LONGEST_PIECE))
    return [passage.as_chunk(ordinal) for ordinal, passage in enumerate(passages)]


def _passages(pieces: Iterable[Piece]) -> Iterator["_Passage"]:
    passage: _Passage | None = None
    for piece in pieces:
        if passage is None or passage.ends_before(piece):
            yield from () if passage is None else (passage,)
            passage = _Passage(piece)
        elif passage.has_room_for(piece):
            passage.add(piece)
        else:
            following = passage.following(piece)
            yield passage
            passage = following
    if passage is not None:
        yield passage


class _Passage:
    """A chunk while it is filled."""

    def __init__(self, first: Piece, lead_in: str = "") -> None:
        self._pieces = [first]
        self._text = lead_in + first.text

    def ends_before(self, piece: Piece) -> bool:
        """Whether a heading opens a passage of its own here."""
        if piece.heading_path[:1] != self._pieces[-1].heading_path[:1]:
            return True
        if not _is_title(piece) or all(map(_is_title, self._pieces)):
            return False
        # A heading is cited with its own page, so it must not hang on the page before.
        return len(self._text) >= ENOUGH_CHARACTERS or piece.page != self._pieces[0].page

    def has_room_for(self, piece: Piece) -> bool:
        return len(self._text) + len(piece.glue) + len(piece.text) <= MAX_CHARACTERS

    def add(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._text += piece.glue + piece.text

    def following(self, piece: Piece) -> "_Passage":
        """The next passage; it takes along the headings that this one would end with."""
        headings = self._headings_at_end()
        length = sum(len(each.glue) + len(each.text) for each in (*headings, piece))
        if not headings or length > MAX_CHARACTERS:
            return _Passage(piece, self._lead_in(piece))
        self._drop(headings)
        following = _Passage(headings[0])
        for each in (*headings[1:], piece):
            following.add(each)
        return following

    def _headings_at_end(self) -> list[Piece]:
        body = [index for index, each in enumerate(self._pieces) if not _is_title(each)]
        return self._pieces[body[-1] + 1 :] if body else []

    def _drop(self, headings: list[Piece]) -> None:
        for heading in reversed(headings):
            self._pieces.pop()
            self._text = self._text.removesuffix(heading.glue + heading.text)

    def _lead_in(self, piece: Piece) -> str:
        """What the next passage repeats: the row of column names, or a short last sentence."""
        if piece.header:
            return piece.header + "\n"
        last = self._pieces[-1]
        if last.kind not in _SPEECH or piece.kind not in _SPEECH:
            return ""
        overlap = last.text
        if len(overlap) > MAX_OVERLAP_CHARACTERS:
            overlap = words_at_end(overlap, MAX_OVERLAP_CHARACTERS) if last.is_cut else ""
        lead_in = overlap + piece.glue
        fits = len(lead_in) + len(piece.text) <= MAX_CHARACTERS
        return lead_in if overlap and fits else ""

    def as_chunk(self, ordinal: int) -> Chunk:
        body = [each for each in self._pieces if not _is_title(each)] or self._pieces[-1:]
        return Chunk(
            ordinal=ordinal,
            text=self._text,
            page=self._pieces[0].page,
            heading=" › ".join(_shared_path(body)),  # noqa: RUF001 - the sign is meant
            kind=body[0].kind.value,
        )


def _shared_path(pieces: list[Piece]) -> tuple[str, ...]:
    """The headings that hold for all pieces alike, so that a citation is never wrong."""
    levels = zip(*(piece.heading_path for piece in pieces), strict=False)
    shared = takewhile(lambda level: len(set(level)) == 1, levels)
    return tuple(level[0] for level in shared)


def _is_title(piece: Piece) -> bool:
    return piece.kind is ElementKind.TITLE
