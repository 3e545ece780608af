"""From pieces of text on a picture to lines as they would stand on a page held straight."""

import math
from dataclasses import replace
from statistics import median

from ingest.domain.elements import Box
from ingest.parsers.ocr import Corners, Found, Quad
from ingest.parsers.pdf_geometry import Line, shares

_LONG_PIECE = 3.0
_USUAL_SIZES = (0.6, 1.5)
_SIDEWAYS = 1.5


def quarters_of(found: Found) -> int:
    """The clockwise quarter turns after which most of the text stands upright."""
    sideways = sum(len(quad.text) for quad in found.quads if _is_tall(quad))
    if 2 * sideways > sum(len(quad.text) for quad in found.quads):
        # The engine turns a tall line to the left to read it; so then is text that runs up.
        return 1 if found.is_flipped else 3
    return 2 if found.is_flipped else 0


def pieces_of(found: Found, quarters: int = 0, *, scale: float = 1.0) -> list[Line]:
    """The pieces as on the page turned so; those of about the usual height share one size.

    Units: `quarters` are turns clockwise; `scale` is how many points a pixel has.
    """
    pieces = _straightened(found, quarters, scale)
    if not pieces:
        return []
    usual = median(piece.height for piece in pieces)
    low, high = (share * usual for share in _USUAL_SIZES)
    # A piece is as high as its letters reach, so small differences of height mean nothing.
    return [
        replace(piece, size=usual if low < piece.height < high else piece.height)
        for piece in pieces
    ]


def _straightened(found: Found, quarters: int, scale: float) -> list[Line]:
    """The pieces as they would stand if the page had not been laid askew."""
    corners = [_turned(quad.corners, quarters) for quad in found.quads]
    angle = median([_angle(each) for each in corners if _is_long(each)] or [0.0])
    cos, sin = math.cos(angle), math.sin(angle)
    pieces = []
    for quad, points in zip(found.quads, corners, strict=True):
        straight = [(x * cos + y * sin, y * cos - x * sin) for x, y in points]
        across, down = sorted(x for x, _ in straight), sorted(y for _, y in straight)
        pieces.append(
            Line(
                quad.text.strip(),
                0.0,
                left=scale * sum(across[:2]) / 2,
                right=scale * sum(across[2:]) / 2,
                bottom=-scale * sum(down[2:]) / 2,
                top=-scale * sum(down[:2]) / 2,
                box=_box(quad, found.size),
            )
        )
    return pieces


def _is_tall(quad: Quad) -> bool:
    across, down = [x for x, _ in quad.corners], [y for _, y in quad.corners]
    return max(down) - min(down) >= _SIDEWAYS * (max(across) - min(across))


def _turned(corners: Corners, quarters: int) -> Corners:
    """The corners after clockwise turns, again from the upper left one."""
    for _ in range(quarters):
        corners = tuple((-y, x) for x, y in corners)
    first = min(range(len(corners)), key=lambda place: sum(corners[place]))
    return corners[first:] + corners[:first]


def _is_long(corners: Corners) -> bool:
    (left, top), (right, _), _, (_, bottom) = corners
    return right - left > _LONG_PIECE * (bottom - top)


def _angle(corners: Corners) -> float:
    (left, top), (right, end), *_ = corners
    return math.atan2(end - top, right - left)


def _box(quad: Quad, size: tuple[float, float]) -> Box:
    across, down = [x for x, _ in quad.corners], [y for _, y in quad.corners]
    width, height = size
    return shares(min(across) / width, min(down) / height, max(across) / width, max(down) / height)
