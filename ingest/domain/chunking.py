"""From the elements of a document to chunks of a size that an embedder reads whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from ingest.domain.elements import Element, ElementKind
from ingest.domain.lengths import length_of
from ingest.domain.pieces import Piece, read_pieces
from ingest.domain.places import Place, places_of
from ingest.domain.sections import read_sections
from ingest.domain.sentences import clause_at_end

MAX_CHARACTERS = 1_000
# A section shorter than this takes in the next one rather than stand alone.
ENOUGH_CHARACTERS = 600
MAX_OVERLAP_CHARACTERS = 150
# Leaves room for a heading or an overlap before even the longest piece.
_LONGEST_PIECE = 800

_SPEECH = frozenset((ElementKind.TEXT, ElementKind.LIST_ITEM, ElementKind.NOTE))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage that is found, shown and cited as one.

    Shape: `ordinal` counts from 0; `page` is that of its first own words and `last_page` that of
        its last, if it is another; `heading` names those that hold for all of it, the outermost
        first, or the short sections that it holds, and is "" outside any; `places` are the areas of
        its own elements; `repeated` is how many characters at its start stand elsewhere already:
        column names, or the end of the passage before.
        `lang` is its language; `before` and `after` are the text around it, for the index alone;
        `is_masked` says that no secret is in any of them.
    """

    ordinal: int
    text: str
    page: int | None
    heading: str
    kind: str
    last_page: int | None = None
    places: tuple[Place, ...] = ()
    repeated: int = 0
    lang: str = "en"
    before: str = ""
    after: str = ""
    is_masked: bool = False

    @property
    def characters(self) -> int:
        """The length of the text."""
        return len(self.text)


def chunk(elements: Iterable[Element]) -> list[Chunk]:
    """The document in passages of 600 to 1,000 characters, the same each time.

    Units: characters of the Latin script; see `length_of` for the others.
    A passage is shorter only at the end of the document or of a top section, before a heading that
    stands on a later page than the passage begins on, so that it is cited with its own page, and
    where the next sentence, row or block of code has no room.
    Sections below one top heading share passages. Top sections do not, for their subjects differ
    and a passage is found and cited best with one: a slide, a sheet, a chapter. Only where they
    are a list on one page, each of a line or two, do they share a passage, which names them all.
    A heading stands in the text of its passage. A passage cut off inside a section repeats the
    sentence before, or its last clause; one cut off inside a table, the column names.
    """
    pieces = read_pieces(elements, longest=_LONGEST_PIECE, longest_row=MAX_CHARACTERS)
    passages = (
        passage
        for section in read_sections(pieces, enough=ENOUGH_CHARACTERS)
        for passage in _passages(section)
    )
    return [passage.as_chunk(ordinal) for ordinal, passage in enumerate(passages)]


def _passages(section: Iterable[Piece]) -> Iterator["_Passage"]:
    passage = _Passage()
    for piece in section:
        if passage.ends_before(piece):
            yield passage
            passage = _Passage()
        elif not passage.has_room_for(piece):
            following = passage.following(piece)
            yield passage
            passage = following
        passage.add(piece)
    yield passage


class _Passage:
    """A chunk while it is filled."""

    def __init__(self, lead_in: str = "") -> None:
        self._pieces: list[Piece] = []
        self._text = self._lead_in = lead_in
        self._length = length_of(lead_in)
        # The column names that hold at its end.
        self._names = ""

    def ends_before(self, piece: Piece) -> bool:
        """Whether a heading opens a passage of its own here."""
        if not piece.is_title or all(each.is_title for each in self._pieces):
            return False
        return self._length >= ENOUGH_CHARACTERS or piece.page != self._pieces[0].page

    def has_room_for(self, piece: Piece) -> bool:
        if not self._pieces:
            return True
        # A table that fits into one passage is divided only to fill up a short one.
        is_whole = self._length >= ENOUGH_CHARACTERS and piece.table_length <= MAX_CHARACTERS
        length = piece.table_length if is_whole and piece.table_length else piece.length
        above = length_of(piece.glue + self._names_above(piece))
        return self._length + above + length <= MAX_CHARACTERS

    def add(self, piece: Piece) -> None:
        glue = piece.glue if self._pieces else ""
        names = self._names_above(piece)
        if not self._text:
            # Whatever stands at its start before its own words is there for the second time.
            self._lead_in = names
        self._pieces.append(piece)
        self._text += glue + names + piece.text
        self._length += length_of(glue + names) + piece.length
        self._names = piece.names

    def following(self, piece: Piece) -> "_Passage":
        """The next passage; it takes along the headings that this one would end with."""
        openers = self._openers_at_end()
        following = _Passage()
        for each in openers:
            following.add(each)
        if not following.has_room_for(piece) or not openers:
            return _Passage(self._overlap(piece))
        self._drop(openers)
        return following

    def _names_above(self, piece: Piece) -> str:
        is_shown = piece.is_names or piece.names == self._names
        return piece.names + "\n" if piece.names and not is_shown else ""

    def _openers_at_end(self) -> list[Piece]:
        """Headings and column names without anything below them yet."""
        pieces = reversed(self._pieces)
        openers = list(takewhile(lambda each: each.is_title or each.is_names, pieces))
        return openers[::-1] if len(openers) < len(self._pieces) else []

    def _drop(self, openers: list[Piece]) -> None:
        for opener in reversed(openers):
            self._pieces.pop()
            self._text = self._text.removesuffix(opener.glue + opener.text)

    def _overlap(self, piece: Piece) -> str:
        """What the next passage repeats: the last short sentences, or the end of a long one."""
        last = self._pieces[-1]
        if piece.kind not in _SPEECH or not _are_of_one_text(last, piece):
            return ""
        overlap, glue = "", ""
        # A passage is never repeated from its beginning.
        for each in reversed(self._pieces[1:]):
            longer = each.text + glue + overlap
            if not _are_of_one_text(each, piece) or length_of(longer) > MAX_OVERLAP_CHARACTERS:
                break
            overlap, glue = longer, each.glue
        lead_in = overlap or clause_at_end(last.text, MAX_OVERLAP_CHARACTERS)
        lead_in += piece.glue if lead_in else ""
        fits = length_of(lead_in) + piece.length <= MAX_CHARACTERS
        return lead_in if fits else ""

    def as_chunk(self, ordinal: int) -> Chunk:
        body = [each for each in self._pieces if not each.is_title] or self._pieces[-1:]
        first, last = self._pieces[0].page, self._pieces[-1].page
        return Chunk(
            ordinal=ordinal,
            text=self._text,
            page=first,
            heading=_heading_of(body) or _names_of_sections(self._pieces),
            kind=body[0].kind.value,
            last_page=last if last != first else None,
            places=places_of(self._pieces),
            repeated=len(self._lead_in),
        )


def _are_of_one_text(piece: Piece, other: Piece) -> bool:
    return piece.kind in _SPEECH and piece.heading_path == other.heading_path


def _heading_of(pieces: list[Piece]) -> str:
    """The headings that hold for all pieces alike, so that a citation is never wrong."""
    levels = zip(*(piece.heading_path for piece in pieces), strict=False)
    shared = takewhile(lambda level: len(set(level)) == 1, levels)
    return " › ".join(level[0] for level in shared)  # noqa: RUF001 - the sign is meant


def _names_of_sections(pieces: list[Piece]) -> str:
    """The top headings of short sections that share a passage."""
    tops = dict.fromkeys(piece.heading_path[0] for piece in pieces if piece.heading_path)
    return " · ".join(tops) if len(tops) > 1 else ""
