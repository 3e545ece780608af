"""From the lines of a page to headings and paragraphs, by size and spacing alone."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.domain.elements import Box, ElementKind
from ingest.parsers.pdf_geometry import Line, around
from ingest.parsers.pdf_words import Vocabulary, without_hyphen

_HEADING_RATIO = 1.15
_MOST_HEADING_CHARACTERS = 200
_FEWEST_BODY_CHARACTERS = 500
_WIDE_GAP = 1.35
_FULL_LINE = 0.75
_TALLEST = 2.5
_SENTENCE_END = re.compile(r"[.!?:;。！？…][\"'”’»)\]]*$")  # noqa: RUF001 - full-width marks
# Chinese and Japanese have no spaces between words, and none at the end of a line.
_UNSPACED = re.compile(r"[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]{2}")
_LIST_MARK = re.compile(r"(?:[•◦▪‣●○■–—-]|\(?\d{1,3}[.)])\s+\S")  # noqa: RUF001 - dashes


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph or a table. Units: `size` in PDF points."""

    kind: ElementKind
    text: str
    size: float
    box: Box | None = None


def body_size(pages: Iterable[Sequence[Line]]) -> float:
    """The size most characters have; 0 if there are none."""
    characters = _characters_by_size(line for page in pages for line in page)
    # Of two equally common sizes the larger one: better a heading missed than a page of them.
    return max(characters, key=lambda size: (characters[size], size), default=0.0)


def read_blocks(lines: list[Line], usual_size: float, vocabulary: Vocabulary) -> Iterator[Block]:
    """The page's headings, paragraphs and tables in order; full lines run on, short ones end."""
    size = _page_body_size(lines, usual_size)
    measure = _Measure(lines, size)
    group: list[Line] = []
    for line in lines:
        if group and measure.starts_block(group[-1], line):
            yield _block(group, measure, vocabulary)
            group = []
        group.append(line)
    if group:
        yield _block(group, measure, vocabulary)


class Outline:
    """The headings that hold at a place: a larger one ends all smaller ones."""

    def __init__(self) -> None:
        self._open: list[Block] = []

    def path_of(self, block: Block) -> tuple[str, ...]:
        """The headings above the block, the outermost first; a heading's own text last."""
        if block.kind is ElementKind.TITLE:
            while self._open and self._open[-1].size <= block.size:
                self._open.pop()
            self._open.append(block)
        return tuple(heading.text for heading in self._open)


class _Measure:
    """What is usual on one page: the size of its text and the distance of its lines."""

    def __init__(self, lines: list[Line], size: float) -> None:
        steps = [above.top - line.top for above, line in pairwise(lines)]
        down = [step for step in steps if 0 < step < 4 * size]
        self.size = size
        self.step = median(down) if down else size

    def is_heading(self, line: Line) -> bool:
        return (
            line.size >= _HEADING_RATIO * self.size
            and len(line.text) <= _MOST_HEADING_CHARACTERS
            and any(character.isalpha() for character in line.text)
            and not _is_turned(line)
        )

    def starts_block(self, above: Line, line: Line) -> bool:
        if above.table or line.table:
            return above.table != line.table
        if self.is_heading(above) or self.is_heading(line):
            return not self._continues_heading(above, line)
        if _is_turned(above) or _is_turned(line) or _LIST_MARK.match(line.text):
            return True
        if above.top - line.top > _WIDE_GAP * self.step:
            return True
        if _SENTENCE_END.search(above.text) is None:
            return False
        is_next_column = line.top > above.top
        return is_next_column or line.left > above.left + self.size / 2

    def _continues_heading(self, above: Line, line: Line) -> bool:
        is_alike = self.is_heading(above) and abs(above.size - line.size) < 0.05 * line.size
        return is_alike and 0 < above.top - line.top < 1.8 * line.size


def _characters_by_size(lines: Iterable[Line]) -> Counter[float]:
    characters: Counter[float] = Counter()
    for line in lines:
        characters[line.size] += len(line.text)
    return characters


def _page_body_size(lines: list[Line], usual_size: float) -> float:
    """A page set wholly in a larger size is no page of headings."""
    characters = _characters_by_size(lines)
    size = body_size([lines])
    return max(size, usual_size) if characters[size] > _FEWEST_BODY_CHARACTERS else usual_size


def _is_turned(line: Line) -> bool:
    return line.top - line.bottom > _TALLEST * line.size


def _block(group: list[Line], measure: _Measure, vocabulary: Vocabulary) -> Block:
    box = around([line.box for line in group])
    if group[0].table:
        return Block(ElementKind.TABLE, "\n".join(line.text for line in group), measure.size, box)
    text = _joined(group, vocabulary)
    if measure.is_heading(group[0]):
        kind = ElementKind.TITLE
        text = " ".join(text.split())
    else:
        kind = ElementKind.LIST_ITEM if _LIST_MARK.match(text) else ElementKind.TEXT
    return Block(kind, text, group[0].size, box)


def _joined(group: list[Line], vocabulary: Vocabulary) -> str:
    full_width = _FULL_LINE * max(line.width for line in group)
    text = group[0].text
    for above, line in pairwise(group):
        joint = None if above.is_row or line.is_row else vocabulary.joint(text, line.text)
        if joint is not None:
            text = without_hyphen(text) + joint + line.text
        elif above.is_row or line.is_row or above.width < full_width:
            text += "\n" + line.text
        else:
            text += ("" if _UNSPACED.match(text[-1:] + line.text[:1]) else " ") + line.text
    return text
