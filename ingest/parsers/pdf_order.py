"""The order in which a person reads a page: columns one by one, boxes apart, notes last."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median

from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_rows import lines_of

_FEWEST_LINES_OF_COLUMN = 3
# A line of prose is so many times as wide as high; the cells of a table are not.
_PROSE_SHAPE = 10.0
_WIDE_GAP = 2.0
_GUTTER = 0.7
_FULL, _FLOWING = 0.75, 0.3
_CLOSE_STEP = 1.8
_FEW_NUMBERS = 0.2
_LEVEL, _MOSTLY, _LETTERS = 0.15, 0.8, 0.6
_TALLEST = 2.5
_NOTE_RATIO = 0.92
_NOTE_MARK = re.compile(r"(?:\d{1,3}|[*†‡§¹²³])\W?\s*\S")
_NUMERIC = re.compile(r"[-+0-9.,%()€$£ ]*\d[-+0-9.,%()€$£ ]*")
_Parts = list[list[Line]]


def read_order(pieces: Sequence[Line]) -> list[Line]:
    """The page's lines as a reader takes them; the rows of a table know their cells."""
    if not pieces:
        return []
    usual = median(piece.height for piece in pieces)
    upright = [piece for piece in pieces if not is_turned(piece, usual)]
    turned = [piece for piece in pieces if is_turned(piece, usual)]
    ordered: list[Line] = []
    for region in _regions(upright, usual):
        ordered += lines_of(region, usual, table=len(ordered) + 1)
    return _with_notes_last(ordered) + turned


def is_turned(piece: Line, usual: float) -> bool:
    """Whether the text runs up or down the page."""
    return piece.height > _TALLEST * usual and piece.height > 2 * piece.width


def _regions(pieces: list[Line], usual: float) -> Iterator[list[Line]]:
    """Parts of the page that are read one after the other."""
    parts = _above_each_other(pieces, _WIDE_GAP * usual) or _in_columns(pieces, usual)
    if not parts and pieces:
        yield pieces
    for part in parts:
        yield from _regions(part, usual)


def _above_each_other(pieces: list[Line], least: float) -> _Parts:
    """The parts above and below the highest empty strip, if it is higher than the least."""
    ordered = sorted(pieces, key=lambda piece: -piece.top)
    reach, widest, cut = ordered[0].bottom if ordered else 0.0, least, 0
    for place, piece in enumerate(ordered):
        if reach - piece.top > widest:
            widest, cut = reach - piece.top, place
        reach = min(reach, piece.bottom)
    return [ordered[:cut], ordered[cut:]] if cut else []


def _in_columns(pieces: list[Line], usual: float) -> _Parts:
    """What stands above, left, right and below where columns are; nothing where none are."""
    ordered = sorted(pieces, key=lambda piece: -piece.top)
    best: list[tuple[int, int]] = []
    edge = 0.0
    for x in _left_edges(ordered, usual):
        bands = list(_bands(ordered, x, usual))
        if _size(bands) > _size(best):
            best, edge = bands, x
    parts, reached = [], 0
    for start, end in best:
        band = ordered[start:end]
        parts += [
            ordered[reached:start],
            [piece for piece in band if piece.left < edge],
            [piece for piece in band if piece.left >= edge],
        ]
        reached = end
    return [part for part in (*parts, ordered[reached:]) if part] if best else []


def _size(bands: list[tuple[int, int]]) -> int:
    return sum(end - start for start, end in bands)


def _left_edges(pieces: list[Line], usual: float) -> Iterator[float]:
    """Where several pieces begin with others to their left: what may be a column's edge."""
    lefts = sorted(piece.left for piece in pieces)
    cluster: list[float] = []
    for left in lefts:
        if cluster and left - cluster[0] > usual:
            if len(cluster) >= _FEWEST_LINES_OF_COLUMN:
                yield cluster[0] - usual / 20
            cluster = []
        cluster.append(left)
    if len(cluster) >= _FEWEST_LINES_OF_COLUMN:
        yield cluster[0] - usual / 20


def _bands(ordered: list[Line], x: float, usual: float) -> Iterator[tuple[int, int]]:
    """The runs of pieces, none of which crosses the edge, that stand there in two columns."""

    def crosses(place: int) -> bool:
        return ordered[place].left < x and ordered[place].right > x - _GUTTER * usual

    for is_crossing, run in groupby(range(len(ordered)), key=crosses):
        places = list(run)
        if is_crossing:
            continue
        start, end = _overlap(ordered, places, x)
        if start < end and _are_columns(ordered[start:end], x, usual):
            yield start, end


def _overlap(ordered: list[Line], places: list[int], x: float) -> tuple[int, int]:
    """The places from the first line that has one beside it to the last."""
    lefts = [place for place in places if ordered[place].left < x]
    rights = [place for place in places if ordered[place].left >= x]
    if not lefts or not rights:
        return 0, 0
    top = min(ordered[lefts[0]].top, ordered[rights[0]].top)
    within = [place for place in places if ordered[place].bottom < top]
    # What is left over below, in one column only, still belongs to that column.
    return (within[0], places[-1] + 1) if within else (0, 0)


def _are_columns(band: list[Line], x: float, usual: float) -> bool:
    left = [piece for piece in band if piece.left < x]
    right = [piece for piece in band if piece.left >= x]
    if min(len(left), len(right)) < _FEWEST_LINES_OF_COLUMN:
        return False
    flowing = [_is_flowing(side, usual) for side in (left, right)]
    if all(flowing):
        return True
    # The cells of a row stand on one level; the lines of two columns only by chance.
    if not _are_level(left, right):
        return _is_close(right if flowing[0] else left) if any(flowing) else _are_wide(left, right)
    return _are_written_apart(left, right)


def _are_wide(left: list[Line], right: list[Line]) -> bool:
    return _is_wide(left) and _is_wide(right)


def _are_level(left: list[Line], right: list[Line]) -> bool:
    fewer, more = sorted((left, right), key=len)
    level = sum(
        any(abs(line.middle - other.middle) < _LEVEL * line.height for other in more)
        for line in fewer
    )
    return level >= _MOSTLY * len(fewer)


def _is_wide(column: list[Line]) -> bool:
    return median(each.width / max(each.height, 1) for each in column) >= _PROSE_SHAPE


def _is_flowing(column: list[Line], usual: float) -> bool:
    """Whether sentences run from line to line, over the full width."""
    lines = [each for each in column if each.width > usual]
    if len(lines) < _FEWEST_LINES_OF_COLUMN or not _is_wide(lines):
        return False
    widest = max(line.width for line in lines)
    is_full = median(line.width for line in lines) >= _FULL * widest
    going_on = sum(_goes_on(line.text) for line in lines)
    return is_full and going_on >= _FLOWING * len(lines) and _are_words(lines)


def _are_words(lines: list[Line]) -> bool:
    text = "".join(line.text for line in lines)
    return sum(map(str.isalpha, text)) >= _LETTERS * len(text.replace(" ", ""))


def _goes_on(text: str) -> bool:
    """Whether the line begins inside a sentence, or in a script that does not tell."""
    first = next((each for each in text if each.isalpha()), "A")
    return first.islower() or first.lower() == first.upper()


def _is_close(column: list[Line]) -> bool:
    """Whether the lines follow each other without the gaps of a table's column."""
    tops = sorted((line.top for line in column), reverse=True)
    steps = [above - below for above, below in pairwise(tops)]
    return median(steps) <= _CLOSE_STEP * median(line.height for line in column)


def _are_written_apart(left: list[Line], right: list[Line]) -> bool:
    """Whether the content has one column after the other, and they are no columns of numbers."""
    is_apart = max(piece.place for piece in left) < min(piece.place for piece in right)
    numbers = sum(_NUMERIC.fullmatch(piece.text) is not None for piece in (*left, *right))
    return is_apart and numbers < _FEW_NUMBERS * (len(left) + len(right))


def _with_notes_last(lines: list[Line]) -> list[Line]:
    """The footnotes of every column but the last, moved to the end of the page."""
    if not lines:
        return lines
    size = median(line.size for line in lines)
    rest: list[Line] = []
    notes: list[Line] = []
    for column in _columns_of(lines):
        start = _notes_start(column, size)
        rest += column[:start]
        notes += column[start:]
    return rest + notes


def _columns_of(lines: list[Line]) -> Iterator[list[Line]]:
    """The lines from one step up the page to the next."""
    column: list[Line] = []
    for line in lines:
        if column and line.bottom > column[-1].top:
            yield column
            column = []
        column.append(line)
    yield column


def _notes_start(column: list[Line], size: float) -> int:
    """The place of the first of the small lines that end the column, if it is marked as a note."""
    start = len(column)
    while start and column[start - 1].size <= _NOTE_RATIO * size:
        start -= 1
    marked = (place for place in range(start, len(column)) if _NOTE_MARK.match(column[place].text))
    return next(marked, len(column))
