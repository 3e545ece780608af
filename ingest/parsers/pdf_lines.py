"""The pieces of text on a PDF page as PDFium finds them, each with its size and place."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pypdfium2

from ingest.parsers.pdf_characters import Characters
from ingest.parsers.pdf_direction import (
    Glyph,
    direction_errors,
    has_right_to_left,
    is_right_to_left,
    reading_text,
    text_as_seen,
)
from ingest.parsers.pdf_geometry import Area, Frame, Line, around
from ingest.parsers.pdf_hidden import Sight

# PDFium writes \x02 or \ufffe for a hyphen that breaks a word at the end of a line.
_LINE = re.compile("[^\r\n\x02\ufffe]+[\x02\ufffe]?|[\x02\ufffe]")
# Some controls count as white space elsewhere; here they are letters that nobody can read.
_WORD = re.compile(r"(?:\S|[\x1c-\x1f])+")
_SMALLEST_SIZE = 1.0
# Words so far apart, in heights of their letters, belong to different columns or cells.
_PIECE_GAP = 0.9
_SPACE = 0.12
_JUNK_SHARE = 0.3
_FEWEST_JUNK = 4
# What is shorter may be a sign of a formula rather than a word.
_FEWEST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of one page.

    Shape: `lines` has neither what cannot be seen nor what cannot be told; `characters` counts all
    that can be seen, `junk` those of them that stand for no known letter, `hidden` those nobody
    can see; `is_layer` says that OCR has left the text on a picture.
    """

    lines: list[Line]
    characters: int = 0
    junk: int = 0
    hidden: int = 0
    words: int = 0
    broken: int = 0
    is_layer: bool = False


@contextmanager
def opened_page(document: pypdfium2.PdfDocument, index: int) -> Iterator[pypdfium2.PdfPage]:
    """One page, closed again at the end."""
    page = document[index]
    try:
        yield page
    finally:
        page.close()


def read_text(page: pypdfium2.PdfPage) -> PageText:
    """The page's pieces of text in the order of its content.

    Raises: PdfiumError if the page has no readable content.
    """
    text_page = page.get_textpage()
    try:
        return _Reading(page, text_page).text()
    finally:
        text_page.close()


@dataclass(frozen=True, slots=True)
class _Word:
    """Characters without a space between them. Units: the page's own points."""

    start: int
    end: int
    area: Area


class _Reading:
    """One page while it is read."""

    def __init__(self, page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> None:
        self._characters = Characters(text_page)
        self._string = self._characters.string
        left, bottom, right, top = page.get_bbox()
        self._shown = Frame(left, bottom, right, top, quarters=page.get_rotation() // 90)
        self._sight = Sight(page, text_page.raw, self._shown)
        self._junk = self._broken = 0
        self._is_backwards = False

    def text(self) -> PageText:
        """All that was found."""
        fragments = list(self._fragments())
        words = [word for fragment in fragments for word in fragment]
        flags = iter(self._are_seen(words))
        shown = [[word for word in fragment if next(flags)] for fragment in fragments]
        shown = [fragment for fragment in shown if fragment]
        seen = [word for fragment in shown for word in fragment]
        upright = self._upright(shown)
        if has_right_to_left(self._string):
            shown = self._by_level(shown, upright)
            self._is_backwards = self._looks_backwards(shown, upright)
        pieces = [piece for fragment in shown for piece in self._pieces(fragment, upright)]
        lines = [replace(line, place=place) for place, line in enumerate(_joined(pieces))]
        characters = _length(seen)
        layer = (word for word in seen if self._sight.is_layer(word.start, word.area))
        return PageText(
            lines,
            characters=characters,
            junk=self._junk,
            hidden=_length(words) - characters,
            words=len(seen),
            broken=self._broken,
            is_layer=2 * _length(layer) > characters,
        )

    def _fragments(self) -> Iterator[list[_Word]]:
        """The words of each line."""
        for line in _LINE.finditer(self._string):
            yield [
                self._word(start, end)
                for word in _WORD.finditer(self._string, line.start(), line.end())
                for start, end in self._alike(word.start(), word.end())
            ]

    def _alike(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a word that are drawn in one way."""
        if not self._sight.is_plain:
            for index in range(start + 1, end):
                if self._sight.object_at(index) != self._sight.object_at(index - 1):
                    yield start, index
                    start = index
        yield start, end

    def _word(self, start: int, end: int) -> _Word:
        first = self._characters.area(start)
        if end - start == 1:
            return _Word(start, end, first)
        last = self._characters.area(end - 1)
        if first[0] <= last[0] and first[1] == last[1] and first[3] == last[3]:
            return _Word(start, end, (first[0], first[1], last[2], last[3]))
        return _Word(start, end, _around((first, last)))

    def _are_seen(self, words: list[_Word]) -> Iterator[bool]:
        """For each word, whether somebody who looks at the page can see it."""
        areas = np.array([word.area for word in words]).reshape(-1, 4)
        # A cell is at least as high as the letters in it, whichever way it is turned.
        sides = np.minimum(areas[:, 2] - areas[:, 0], areas[:, 3] - areas[:, 1])
        small = (sides < 2 * _SMALLEST_SIZE).tolist()
        inked = self._sight.glance(areas)
        is_plain = self._sight.is_plain
        for word, is_inked, is_small in zip(words, inked, small, strict=True):
            if is_small and self._characters.size(word.start) < _SMALLEST_SIZE:
                yield False
            elif is_plain and is_inked:
                yield True
            else:
                yield self._sight.shows(word.start, word.area, is_inked=is_inked)

    def _upright(self, fragments: list[list[_Word]]) -> Frame:
        """The page as it is held to read most of its text."""
        quarters: Counter[int] = Counter()
        for words in fragments:
            length = words[-1].end - words[0].start
            quarters[self._characters.quarters(words[len(words) // 2].start)] += length
        usual = max(quarters, key=lambda each: quarters[each], default=self._shown.quarters)
        return replace(self._shown, quarters=usual)

    def _pieces(self, words: list[_Word], upright: Frame) -> Iterator[Line]:
        size = self._characters.size(words[len(words) // 2].start)
        if self._is_of_right_to_left(words):
            yield from self._leftward_pieces(words, upright)
            return
        is_along = self._characters.quarters(words[0].start) == upright.quarters
        group: list[_Word] = []
        end = 0.0
        for word in words:
            start, _, next_end, _ = upright.shown(word.area)
            if group and is_along and start - end > _PIECE_GAP * size:
                yield from self._piece(group, upright)
                group = []
            group.append(word)
            end = next_end
        yield from self._piece(group, upright)

    def _piece(self, words: list[_Word], upright: Frame) -> Iterator[Line]:
        """The words as a piece of text, unless most of it is junk."""
        texts = [self._characters.text(word.start, word.end) for word in words]
        length = _length(words)
        junk = length - sum(map(len, texts))
        if junk:
            self._broken += sum(
                len(text) < word.end - word.start and sum(map(str.isalpha, text)) >= _FEWEST_LETTERS
                for word, text in zip(words, texts, strict=True)
            )
        is_junk = junk >= _FEWEST_JUNK and junk > _JUNK_SHARE * length
        self._junk += length if is_junk else junk
        text = "" if is_junk else _sentence(words, texts)
        if text:
            yield self._line(text, words, upright)

    def _leftward_pieces(self, words: list[_Word], upright: Frame) -> Iterator[Line]:
        """As `_pieces`, for a script that runs from right to left: by where each letter stands."""
        told = (self._characters.text(word.start, word.end) for word in words)
        self._junk += _length(words) - sum(map(len, told))
        for group in self._leftward_groups(words, upright):
            if self._is_backwards:
                text = text_as_seen(group)
            else:
                text = reading_text(group, is_page_right_to_left=self._is_leftward)
            left, right = group[0].left, max(glyph.right for glyph in group)
            within = [word for word in words if _is_within(upright, word, left, right)]
            if text and within:
                yield replace(self._line(text, within, upright), left=left, right=right)

    def _leftward_groups(self, words: list[_Word], upright: Frame) -> Iterator[list[Glyph]]:
        """The shapes of a line, parted where it has a wide gap."""
        size = self._characters.size(words[len(words) // 2].start)
        group: list[Glyph] = []
        for glyph in sorted(self._glyphs(words, upright), key=lambda glyph: glyph.left):
            if group and glyph.left - max(each.right for each in group) > _PIECE_GAP * size:
                yield group
                group = []
            group.append(glyph)
        if group:
            yield group

    def _glyphs(self, words: list[_Word], upright: Frame) -> Iterator[Glyph]:
        """Each shape once, with all characters that it stands for."""
        for word in words:
            before: Glyph | None = None
            for index in range(word.start, word.end):
                text = self._characters.text(index, index + 1)
                left, _, right, _ = upright.shown(self._characters.area(index))
                if before is not None and (left, right) == (before.left, before.right):
                    before = Glyph(before.text + text, left, right)
                    continue
                if before is not None:
                    yield before
                before = Glyph(text, left, right) if text else None
            if before is not None:
                yield before

    def _looks_backwards(self, fragments: list[list[_Word]], upright: Frame) -> bool:
        """Whether letters of a script that runs to the left were laid out to the right."""
        groups = (
            group
            for words in fragments
            if self._is_of_right_to_left(words)
            for group in self._leftward_groups(words, upright)
        )
        return (
            sum(
                direction_errors(reading_text(group, is_page_right_to_left=True))
                for group in groups
            )
            > 0
        )

    def _is_of_right_to_left(self, words: list[_Word]) -> bool:
        return any(has_right_to_left(self._string[word.start : word.end]) for word in words)

    def _by_level(self, fragments: list[list[_Word]], upright: Frame) -> list[list[_Word]]:
        """The lines put together in which some text runs to the left: PDFium may cut them up."""
        rows: list[list[_Word]] = []
        rest: list[list[_Word]] = []
        for fragment in sorted(fragments, key=self._is_of_right_to_left, reverse=True):
            row = next((each for each in rows if _are_level(upright, each[0], fragment[0])), None)
            if row is not None:
                row += fragment
            elif self._is_of_right_to_left(fragment):
                rows.append(list(fragment))
            else:
                rest.append(fragment)
        return rows + rest

    @cached_property
    def _is_leftward(self) -> bool:
        """Whether most of the page runs from right to left."""
        return is_right_to_left(self._string)

    def _line(self, text: str, words: list[_Word], upright: Frame) -> Line:
        area = _around([word.area for word in words])
        left, bottom, right, top = upright.shown(area)
        size = round(2 * self._characters.size(words[len(words) // 2].start)) / 2
        return Line(text, size, left, right, bottom, top, box=self._shown.box(area))


def _length(words: Iterable[_Word]) -> int:
    return sum(word.end - word.start for word in words)


def _are_level(upright: Frame, word: _Word, other: _Word) -> bool:
    (_, bottom, _, top), (_, low, _, high) = upright.shown(word.area), upright.shown(other.area)
    return abs(bottom + top - low - high) < min(top - bottom, high - low)


def _is_within(upright: Frame, word: _Word, left: float, right: float) -> bool:
    start, _, end, _ = upright.shown(word.area)
    return left <= (start + end) / 2 <= right


def _sentence(words: list[_Word], texts: list[str]) -> str:
    """The words with spaces between them, except the parts of one that is drawn in two ways."""
    if all(word.end < following.start for word, following in pairwise(words)):
        return " ".join(filter(None, texts))
    text = texts[0]
    for (word, following), part in zip(pairwise(words), texts[1:], strict=True):
        text += part if word.end == following.start else " " + part
    return " ".join(text.split())


def _around(areas: Sequence[Area]) -> Area:
    lefts, bottoms, rights, tops = zip(*areas, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _joined(pieces: list[Line]) -> list[Line]:
    """Put pieces on one line together: a raised footnote mark ends none."""
    lines: list[Line] = []
    for piece in pieces:
        if lines and _continues(lines[-1], piece):
            lines[-1] = _merged(lines[-1], piece)
        else:
            lines.append(piece)
    return lines


def _continues(line: Line, piece: Line) -> bool:
    is_level = line.bottom <= piece.middle <= line.top or piece.bottom <= line.middle <= piece.top
    gap = piece.left - line.right
    return is_level and -line.size / 2 <= gap <= _PIECE_GAP * max(line.size, piece.size)


def _merged(line: Line, piece: Line) -> Line:
    taller = max(line, piece, key=lambda one: one.size)
    is_apart = piece.left - line.right > _SPACE * taller.size
    return replace(
        taller,
        text=line.text + (" " if is_apart else "") + piece.text,
        left=line.left,
        right=piece.right,
        box=around([line.box, piece.box]),
    )
