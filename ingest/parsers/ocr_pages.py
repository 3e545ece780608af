"""One picture from its pixels to its lines; a very long one, as of a whole chat, in parts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ingest.parsers.ocr import find_text
from ingest.parsers.ocr_layout import read_order

if TYPE_CHECKING:
    from PIL.Image import Image

    from ingest.parsers.pdf_lines import Line

SMALLEST_SIDE = 8
# A page of A4 is 1.4 times as high as wide; what is higher is read at this height and less.
_HIGHEST_SHAPE = 2.0
# The rows among which a part's end is looked for, as a share of its height.
_END_WITHIN = 0.3


def read_page(picture: "Image", *, scale: float = 1.0) -> list["Line"]:
    """The lines of an RGB picture in reading order.

    Units: `scale` is how many points a pixel has.
    Raises: OcrUnavailable; MemoryError.
    """
    lines: list[Line] = []
    if min(picture.size) < SMALLEST_SIDE:
        return lines
    for top, bottom in _parts(picture):
        part = picture.crop((0, top, picture.width, bottom))
        for line in read_order(find_text(part), scale=scale):
            down = scale * top
            lines.append(replace(line, top=line.top - down, bottom=line.bottom - down))
    return lines


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
