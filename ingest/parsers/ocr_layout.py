"""From pieces of text on a picture to lines in reading order: columns left to right, top down."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.parsers.ocr import Quad
from ingest.parsers.pdf_lines import Line

_LONG_PIECE = 3.0
_FEWEST_LINES_OF_COLUMN = 3
# A line of prose is so many times as wide as high; the cells of a table are not.
_PROSE_SHAPE = 10.0
_WIDE_GAP, _NARROW_GAP = 2.0, 0.5
_CELL_GAP = 2.0
_USUAL_SIZES = (0.6, 1.5)


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    left: float
    right: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def read_order(quads: Sequence[Quad], *, scale: float = 1.0) -> list[Line]:
    """The lines as a reader takes them; those of about the usual height share one size.

    Units: `scale` is how many points a pixel has.
    """
    pieces = _straightened(quads)
    if not pieces:
        return []
    usual = median(piece.height for piece in pieces)
    rows = [row for column in _columns(pieces, usual) for row in _rows(column)]
    return [_line(row, usual, scale) for row in rows]


def _straightened(quads: Sequence[Quad]) -> list[_Piece]:
    """The pieces as they would stand if the page had not been laid askew."""
    angle = median([_angle(quad) for quad in quads if _is_long(quad)] or [0.0])
    cos, sin = math.cos(angle), math.sin(angle)
    pieces = []
    for quad in quads:
        turned = [(x * cos + y * sin, y * cos - x * sin) for x, y in quad.corners]
        across, down = sorted(x for x, _ in turned), sorted(y for _, y in turned)
        pieces.append(
            _Piece(
                quad.text,
                sum(across[:2]) / 2,
                sum(across[2:]) / 2,
                sum(down[:2]) / 2,
                sum(down[2:]) / 2,
            )
        )
    return pieces


def _is_long(quad: Quad) -> bool:
    (left, top), (right, _), _, (_, bottom) = quad.corners
    return right - left > _LONG_PIECE * (bottom - top)


def _angle(quad: Quad) -> float:
    (left, top), (right, end), *_ = quad.corners
    return math.atan2(end - top, right - left)


def _columns(pieces: list[_Piece], usual: float) -> Iterator[list[_Piece]]:
    """Parts of the page that are read one after the other."""
    parts = (
        _above_each_other(pieces, _WIDE_GAP * usual)
        or _side_by_side(pieces, usual)
        or _above_each_other(pieces, _NARROW_GAP * usual)
    )
    if not parts:
        yield pieces
    for part in parts:
        yield from _columns(part, usual)


def _side_by_side(pieces: list[_Piece], usual: float) -> list[list[_Piece]]:
    """The two columns left and right of an empty strip, if both hold prose."""
    ordered = sorted(pieces, key=lambda piece: piece.left)
    reach = ordered[0].right
    for place, piece in enumerate(ordered):
        if (
            piece.left - reach > usual
            and _are_prose(ordered[:place])
            and _are_prose(ordered[place:])
        ):
            return [ordered[:place], ordered[place:]]
        reach = max(reach, piece.right)
    return []


def _are_prose(column: list[_Piece]) -> bool:
    if len(column) < _FEWEST_LINES_OF_COLUMN:
        return False
    return median((each.right - each.left) / max(each.height, 1) for each in column) >= _PROSE_SHAPE


def _above_each_other(pieces: list[_Piece], least: float) -> list[list[_Piece]]:
    """The parts above and below the highest empty strip, if it is higher than the least."""
    ordered = sorted(pieces, key=lambda piece: piece.top)
    reach, widest, cut = ordered[0].bottom, least, 0
    for place, piece in enumerate(ordered):
        if piece.top - reach > widest:
            widest, cut = piece.top - reach, place
        reach = max(reach, piece.bottom)
    return [ordered[:cut], ordered[cut:]] if cut else []


def _rows(pieces: list[_Piece]) -> list[list[_Piece]]:
    """The pieces grouped by the line on which they stand, each line from left to right."""
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if rows and any(_share_a_line(other, piece) for other in rows[-1]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _share_a_line(piece: _Piece, other: _Piece) -> bool:
    is_beside = piece.right <= other.left + other.height or other.right <= piece.left + piece.height
    return is_beside and abs(piece.middle - other.middle) < min(piece.height, other.height) / 2


def _line(row: list[_Piece], usual: float, scale: float) -> Line:
    """One line; upwards, as on a page of a PDF.

    A line is as high as its letters reach, so small differences of height mean nothing.
    """
    height = max(piece.height for piece in row)
    low, high = _USUAL_SIZES
    return Line(
        text=" ".join(piece.text.strip() for piece in row),
        size=scale * (usual if low * usual < height < high * usual else height),
        left=scale * row[0].left,
        right=scale * max(piece.right for piece in row),
        bottom=-scale * max(piece.bottom for piece in row),
        top=-scale * min(piece.top for piece in row),
        is_row=any(right.left - left.right > _CELL_GAP * usual for left, right in pairwise(row)),
    )
