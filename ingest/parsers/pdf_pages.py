"""From the pieces of text of all pages to the elements of a document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_layout import Block, Outline, body_size, read_blocks
from ingest.parsers.pdf_order import read_order
from ingest.parsers.pdf_running import without_running_lines
from ingest.parsers.pdf_words import Vocabulary, without_hyphen


@dataclass(frozen=True, slots=True)
class Page:
    """What stands on one page.

    Shape: `number` counts from 1, None where the format has no pages.
    """

    number: int | None
    pieces: Sequence[Line]
    is_scan: bool = False


def elements_of(pages: Sequence[Page]) -> Iterator[Element]:
    """The headings, paragraphs and tables in reading order, what only repeats last."""
    usual_size = body_size(page.pieces for page in pages if not page.is_scan)
    bodies, notes = without_running_lines([page.pieces for page in pages], usual_size)
    ordered = [read_order(body) for body in bodies]
    vocabulary = Vocabulary([[line.text for line in lines] for lines in ordered])
    blocks = [
        list(read_blocks(lines, body_size([lines]) if page.is_scan else usual_size, vocabulary))
        for page, lines in zip(pages, ordered, strict=True)
    ]
    _mend_words_across_pages(blocks, vocabulary)
    outline = Outline()
    for page, found in zip(pages, blocks, strict=True):
        for block in found:
            path = outline.path_of(block)
            yield Element(block.kind, block.text, page.number, path, block.box)
    for note in notes:
        yield replace(note, page=pages[(note.page or 1) - 1].number)


def _mend_words_across_pages(pages: list[list[Block]], vocabulary: Vocabulary) -> None:
    """Give the page on which a word begins the rest of it."""
    for above, below in pairwise(pages):
        if not above or not below or {above[-1].kind, below[0].kind} != {ElementKind.TEXT}:
            continue
        joint = vocabulary.joint(above[-1].text, below[0].text)
        first, _, rest = below[0].text.partition(" ")
        if joint in {"", "-"} and rest:
            whole = without_hyphen(above[-1].text) + (joint or "") + first
            above[-1] = replace(above[-1], text=whole)
            below[0] = replace(below[0], text=rest)
