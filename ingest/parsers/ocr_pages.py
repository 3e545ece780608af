"""One picture from its pixels to its pieces of text; a very long one, as of a chat, in parts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PIL.Image import Transpose

from ingest.parsers.ocr import Found, Quad, find_text
from ingest.parsers.ocr_layout import pieces_of, quarters_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from ingest.parsers.pdf_geometry import Line

SMALLEST_SIDE = 8
# A page of A4 is 1.4 times as high as wide; what is higher is read at this height and less.
_HIGHEST_SHAPE = 2.0
# The rows among which a part's end is looked for, as a share of its height.
_END_WITHIN = 0.3
# By clockwise quarters; the library counts the other way.
_TURNS = {1: Transpose.ROTATE_270, 3: Transpose.ROTATE_90}


def read_page(picture: "Image", *, scale: float = 1.0) -> list["Line"]:
    """The pieces of text of an RGB picture, in no particular order.

    Units: `scale` is how many points a pixel has.
    Raises: OcrUnavailable; MemoryError.
    """
    if min(picture.size) < SMALLEST_SIDE:
        return []
    found = _find(picture)
    quarters = quarters_of(found)
    if quarters % 2:
        # Lines that run up or down are found, but read less well.
        again = _find(picture.transpose(_TURNS[quarters]))
        found = Found(
            [_turned_back(quad, quarters, picture.size) for quad in again.quads], picture.size
        )
        quarters += quarters_of(again)
    return pieces_of(found, quarters % 4, scale=scale)


def _find(picture: "Image") -> Found:
    quads: list[Quad] = []
    flipped = 0
    for top, bottom in _parts(picture):
        found = find_text(picture.crop((0, top, picture.width, bottom)))
        quads += [_lowered(quad, top) for quad in found.quads]
        flipped += found.flipped
    return Found(quads, picture.size, flipped)


def _turned_back(quad: Quad, quarters: int, size: tuple[int, int]) -> Quad:
    """Where the piece stands on the picture before its turn."""
    width, height = size
    if quarters == 1:
        return Quad(quad.text, tuple((y, height - x) for x, y in quad.corners))
    return Quad(quad.text, tuple((width - y, x) for x, y in quad.corners))


def _lowered(quad: Quad, down: int) -> Quad:
    return Quad(quad.text, tuple((x, y + down) for x, y in quad.corners))


def _parts(picture: "Image") -> Iterator[tuple[int, int]]:
    """Where parts of about the height of a page begin and end."""
    most = round(_HIGHEST_SHAPE * picture.width)
    top = 0
    while picture.height - top > most:
        end = _emptiest_row(picture, round(top + (1 - _END_WITHIN) * most), top + most)
        yield top, end
        top = end
    yield top, picture.height


def _emptiest_row(picture: "Image", first: int, last: int) -> int:
    """The row with the least contrast, which hardly cuts through letters."""
    rows = np.asarray(picture.crop((0, first, picture.width, last)).convert("L"), dtype=np.int16)
    return first + int(np.abs(np.diff(rows, axis=1)).sum(axis=1).argmin())
