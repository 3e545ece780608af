"""A small picture of known words, drawn and read: the proof that OCR runs on a host."""

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.ocr import OcrUnavailable
from ingest.parsers.ocr_pages import read_page

_WORDS = "Longhand 7700"


def parse(_path: Path) -> Iterator[Element | Pages | SlowPage]:
    """The words of the picture, whatever the path.

    Raises: OcrUnavailable.
    """
    yield SlowPage()
    picture = Image.new("RGB", (320, 64), "white")
    font = ImageFont.load_default(size=32)
    ImageDraw.Draw(picture).text((16, 12), _WORDS, fill="black", font=font)
    read = " ".join(line.text for line in read_page(picture))
    if read != _WORDS:
        raise OcrUnavailable("it misreads a plain picture")
    yield Element(ElementKind.TEXT, read, None, ())
