"""One page of a PDF or a picture, drawn for people to look at.

A parser is given one path, so what to draw stands in a small file, the order; and it sends nothing
but text, so the picture leaves as base64.
"""

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from ingest.domain.elements import Element, ElementKind
from ingest.domain.refusals import LOCKED, NeedsPassword
from ingest.parsers.contract import Pages, SlowPage
from memory.domain.errors import Permanent

_POINTS_PER_INCH = 72
# Twice as sharp as half a screen shows a page.
_PIXELS_PER_INCH = 150
_MOST_PIXELS = 4_000_000
# The format has no longer side.
_LONGEST_SIDE = 16_000
# Half the time of the usual effort for a fiftieth more bytes.
_ENCODING = {"quality": 75, "method": 2}


class Order(TypedDict):
    """What to draw, as the JSON of the file that is named to the child."""

    path: str
    is_pdf: bool
    page: int


def parse(path: Path) -> Iterator[Element | Pages | SlowPage]:
    """The page that the order at this path names, as WebP in base64.

    Raises: NeedsPassword; Permanent if there is no such page or it cannot be drawn.
    """
    order: Order = json.loads(path.read_text(encoding="utf-8"))
    source, number = Path(order["path"]), order["page"]
    picture = _drawn(source, number) if order["is_pdf"] else _picture(source, number)
    yield Element(ElementKind.CODE, _as_text(_bounded(picture)), number, ())


def _picture(path: Path, number: int) -> Image.Image:
    # It takes as long to load as a page takes to draw, and a PDF does without.
    from ingest.parsers.image import read_frame

    return read_frame(path, number)


def _drawn(path: Path, number: int) -> Image.Image:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise NeedsPassword(LOCKED) from None
        raise Permanent("The file is damaged: it cannot be read as a PDF.") from None
    if not 1 <= number <= len(document):
        raise Permanent(f"There is no page {number}.")
    try:
        document.init_forms()
        page = document[number - 1]
        picture: Image.Image = page.render(scale=_scale(*page.get_size())).to_pil()
    except pypdfium2.PdfiumError as error:
        raise Permanent(f"The file is damaged: {error}") from None
    return picture.convert("RGB")


def _scale(width: float, height: float) -> float:
    """Pixels for each point of a page, so that neither a tiny nor a huge page is out of bounds."""
    width, height = max(width, 1.0), max(height, 1.0)
    by_area = float((_MOST_PIXELS / (width * height)) ** 0.5)
    return min(_PIXELS_PER_INCH / _POINTS_PER_INCH, by_area, _LONGEST_SIDE / max(width, height))


def _bounded(picture: Image.Image) -> Image.Image:
    """The picture in a size that a browser loads soon."""
    width, height = picture.size
    share = min((_MOST_PIXELS / (width * height)) ** 0.5, _LONGEST_SIDE / max(width, height))
    if share < 1:
        size = max(1, round(width * share)), max(1, round(height * share))
        return picture.resize(size, reducing_gap=2.0)
    return picture


def _as_text(picture: Image.Image) -> str:
    encoded = io.BytesIO()
    picture.save(encoded, "WEBP", **_ENCODING)
    return base64.b64encode(encoded.getvalue()).decode("ascii")
