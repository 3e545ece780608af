"""Pictures and scans: their text by OCR, one page for each that the file holds."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pi_heif
from PIL import Image, ImageOps

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.damage import told_as_damage
from ingest.parsers.ocr_pages import read_page
from ingest.parsers.pdf_pages import Page, elements_of
from memory.domain.errors import Permanent

MOST_PIXELS = 120_000_000
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "HEIF")
# More would not be read better; less, and small print is lost.
_LONGEST_SIDE = 3_500
# Of a long strip the width counts, since it is read in parts.
_NARROWEST_STRIP = 1_200

pi_heif.register_heif_opener()


def parse(path: Path) -> Iterator[Element | Pages | SlowPage]:
    """The text of a picture in reading order; the pages of a TIFF are numbered.

    Raises: Permanent if it is damaged or too large; OcrUnavailable.
    """
    with path.open("rb") as file:
        with _told_as_damage():
            picture = Image.open(file, formats=_FORMATS)
            is_paged = picture.format == "TIFF"
            total = getattr(picture, "n_frames", 1) if is_paged else 1
        yield Pages(0, total)
        pages = []
        for number in range(1, total + 1):
            yield SlowPage()
            pieces = read_page(_frame(picture, number))
            pages.append(Page(number if is_paged else None, pieces, is_scan=True))
            yield Pages(number, total)
        yield from elements_of(pages)


def read_frame(path: Path, number: int) -> Image.Image:
    """One page of a picture file, upright, in RGB and of a size that can be read.

    Raises: Permanent if it is damaged, too large or has no such page.
    """
    with path.open("rb") as file:
        with _told_as_damage():
            picture = Image.open(file, formats=_FORMATS)
        return _frame(picture, number)


@contextlib.contextmanager
def _told_as_damage() -> Iterator[None]:
    """As for all files; the picture library reports damage as trouble with the file itself."""
    with told_as_damage():
        try:
            yield
        except Image.DecompressionBombError as error:
            raise _too_large() from error
        except (OSError, SyntaxError) as error:
            if isinstance(error, OSError) and error.errno:
                raise  # the host's trouble, not the picture's
            raise Permanent("The file is damaged: it cannot be read as a picture.") from error


def _frame(picture: Image.Image, number: int) -> Image.Image:
    """One page upright, in RGB and of a size that can be read.

    Raises: Permanent.
    """
    with _told_as_damage():
        picture.seek(number - 1)
        if picture.width * picture.height > MOST_PIXELS:
            raise _too_large()
        size = _readable_size(picture.size)
        picture.draft("RGB", size)  # a JPEG is decoded in a smaller size then
        frame = _scalable(picture)
        frame.thumbnail(size, reducing_gap=2.0)
        return _opaque(ImageOps.exif_transpose(frame))


def _too_large() -> Permanent:
    return Permanent(
        f"Has more than {MOST_PIXELS // 1_000_000} million pixels. Scale the picture down."
    )


def _readable_size(size: tuple[int, int]) -> tuple[int, int]:
    """The size within which the picture, keeping its shape, is to be."""
    shorter, longer = sorted(size)
    share = max(_LONGEST_SIDE / longer, _NARROWEST_STRIP / shorter)
    return (size[0], size[1]) if share >= 1 else (round(size[0] * share), round(size[1] * share))


def _scalable(picture: Image.Image) -> Image.Image:
    """The picture in a mode whose pixels can be mixed."""
    if picture.mode.startswith(("I", "F")):
        return _stretched(picture)
    if picture.mode in {"P", "PA"}:
        return picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    return picture.convert("L") if picture.mode == "1" else picture


def _opaque(picture: Image.Image) -> Image.Image:
    """The picture in RGB, on white where it is transparent."""
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    colors = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", colors.size, "white"), colors).convert("RGB")


def _stretched(picture: Image.Image) -> Image.Image:
    """Gray of more than 8 bits, from its darkest to its brightest."""
    values = np.array(picture, dtype=np.float32)
    values -= values.min()
    values *= 255 / max(float(values.max()), 1.0)
    return Image.fromarray(values.astype(np.uint8))
