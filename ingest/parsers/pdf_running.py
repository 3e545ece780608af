"""Lines that recur at the same edge of many pages: headers, footers and page numbers."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.pdf_geometry import Line

_ZONE = 0.13
_MOST_LINES = 4
_FEWEST_PAGES = 3
_SAME_HEIGHT = 0.02
# Of the pages on one side, so many more than half.
_ALTERNATING = 0.3
# How far such a line stands from the text, in heights of its letters.
_APART = 0.5
_HEADING_RATIO = 1.15
_NUMBER = re.compile(r"\d{1,9}")
_ROMAN = re.compile(r"[ivxlc]+")
_ROMAN_NUMBER = "~"
_STEADY = 0.8


@dataclass(frozen=True, slots=True)
class _Found:
    page: int
    line: Line
    is_apart: bool


def without_running_lines(
    pages: Sequence[Sequence[Line]], usual_size: float
) -> tuple[list[list[Line]], list[Element]]:
    """The pages without the lines that only repeat, and a note for each that says something.

    No page is left without any line.
    """
    running = list(_running(pages, usual_size))
    taken: dict[int, set[int]] = defaultdict(set)
    for group in running:
        for found in group:
            taken[found.page].add(id(found.line))
    kept = [
        [line for line in page if id(line) not in taken[number]] or list(page)
        for number, page in enumerate(pages)
    ]
    gone = [number for number, page in enumerate(pages) if len(kept[number]) < len(page)]
    return kept, list(_notes(running, frozenset(gone)))


def _running(pages: Sequence[Sequence[Line]], usual_size: float) -> Iterator[list[_Found]]:
    if len(pages) < _FEWEST_PAGES:
        return
    groups: dict[tuple[str, str], list[_Found]] = defaultdict(list)
    for number, page in enumerate(pages):
        for edge, found in _at_edges(number, page):
            groups[edge, _alike(found.line.text)].append(found)
    for group in groups.values():
        level = _level(group)
        if _recurs([found.page for found in level], len(pages)) and _is_furniture(
            level, usual_size
        ):
            yield level


def _at_edges(number: int, page: Sequence[Line]) -> Iterator[tuple[str, _Found]]:
    """The outermost lines at the top and at the bottom of the page."""
    placed = [(line.box, line) for line in page if line.box is not None]
    downwards = sorted(placed, key=lambda each: each[0][1])
    for edge, ordered in (("top", downwards), ("bottom", downwards[::-1])):
        rest = [line for _, line in ordered]
        for place, (box, line) in enumerate(ordered[:_MOST_LINES]):
            outer = box[3] if edge == "top" else 1 - box[1]
            if outer <= _ZONE:
                yield edge, _Found(number, line, _is_apart(line, rest[place + 1 :]))


def _is_apart(line: Line, inner: Iterable[Line]) -> bool:
    gaps = (
        max(line.bottom - other.top, other.bottom - line.top)
        for other in inner
        if abs(other.middle - line.middle) > line.height / 2
    )
    return next(gaps, 0.0) >= _APART * line.size


def _alike(text: str) -> str:
    """The text with its numbers made equal."""
    words = " ".join(_NUMBER.sub("#", text.casefold()).split())
    return _ROMAN_NUMBER if _ROMAN.fullmatch(words) else words


def _level(group: list[_Found]) -> list[_Found]:
    """Those that stand at the usual height, one of each page."""
    tops = [found.line.box[1] for found in group if found.line.box is not None]
    usual = median(tops)
    level = {
        found.page: found
        for found, top in zip(group, tops, strict=True)
        if abs(top - usual) <= _SAME_HEIGHT
    }
    return list(level.values())


def _recurs(numbers: list[int], total: int) -> bool:
    if len(numbers) < _FEWEST_PAGES:
        return False
    alternating = max(sum(number % 2 == side for number in numbers) for side in (0, 1))
    return 2 * len(numbers) >= total or alternating >= _ALTERNATING * total


def _is_furniture(group: list[_Found], usual_size: float) -> bool:
    """Whether the lines belong to the paper rather than to what is written on it."""
    pattern = _alike(group[0].line.text)
    is_number_only = not any(each.isalpha() for each in pattern)
    if not is_number_only and 2 * sum(found.is_apart for found in group) < len(group):
        return False
    texts = {found.line.text for found in group}
    if len(texts) == 1:
        return True
    is_heading = median(found.line.size for found in group) >= _HEADING_RATIO * usual_size
    return not is_heading and (pattern == _ROMAN_NUMBER or _counts_pages(group))


def _counts_pages(group: list[_Found]) -> bool:
    """Whether a number in the lines goes up by one from page to page."""
    numbers = [[int(each) for each in _NUMBER.findall(found.line.text)] for found in group]
    for column in zip(*numbers, strict=True):
        starts = [number - found.page for number, found in zip(column, group, strict=True)]
        usual = max(set(starts), key=starts.count)
        if starts.count(usual) >= _STEADY * len(starts):
            return True
    return False


def _notes(running: list[list[_Found]], gone: frozenset[int]) -> Iterator[Element]:
    for group in running:
        found = next((each for each in group if each.page in gone), None)
        if found is not None and any(each.isalpha() for each in found.line.text):
            text = f"On {len(group)} pages: {found.line.text}"
            yield Element(ElementKind.NOTE, text, found.page + 1, (), found.line.box)
