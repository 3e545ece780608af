"""Pages of a PDF whose text does not tell what is on them: told by what they lack, read by OCR."""

from collections.abc import Sequence
from enum import Enum, auto
from itertools import islice

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.parsers.ocr_pages import read_page
from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_hidden import bounds
from ingest.parsers.pdf_lines import PageText, opened_page
from ingest.parsers.pdf_trust import good_words, is_gibberish, is_poor

# A scan may carry its page number or a stamp as text.
_FEWEST_CHARACTERS = 20
_MOST_JUNK = 0.1
_MOST_BROKEN, _FEW_BROKEN = 0.03, 4
# Letters that are drawn as curves make many; a rule or a frame makes few.
_MANY_OBJECTS = 100
_FORM_DEPTH = 3
_LARGE_SHARE = 0.5

_POINTS_PER_INCH = 72
_PIXELS_PER_INCH = 200
_LONGEST_SIDE = 3_500


class Lack(Enum):
    """Why the text of a page is not enough."""

    NONE = auto()
    PICTURE = auto()
    UNDECODABLE = auto()
    GIBBERISH = auto()
    POOR = auto()


def lack_of(document: pypdfium2.PdfDocument, index: int, text: PageText) -> Lack:
    """What is wrong with the text of the page, if the page shows more than it says."""
    if text.junk > _MOST_JUNK * text.characters or text.broken > max(
        _MOST_BROKEN * text.words, _FEW_BROKEN
    ):
        return Lack.UNDECODABLE
    if not _has_letters(text.lines):
        with opened_page(document, index) as page:
            return Lack.PICTURE if _shows_something(page) else Lack.NONE
    if is_gibberish(text.lines):
        return Lack.GIBBERISH
    return Lack.POOR if text.is_layer and is_poor(text.lines) else Lack.NONE


def is_mostly_picture(page: pypdfium2.PdfPage) -> bool:
    """Whether a picture covers half of the page, so that even looking at it takes its time."""
    width, height = page.get_size()
    areas = (
        bounds(each.raw)
        for each in islice(page.get_objects(max_depth=1), _MANY_OBJECTS)
        if each.type in {pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM}
    )
    covered = max(
        ((right - left) * (top - bottom) for left, bottom, right, top in areas), default=0
    )
    return bool(covered >= _LARGE_SHARE * width * height)


def read_scan(document: pypdfium2.PdfDocument, index: int) -> list[Line]:
    """The pieces of text that can be seen on the page.

    Raises: OcrUnavailable; PdfiumError if the page cannot be drawn.
    """
    with opened_page(document, index) as page:
        most = _LONGEST_SIDE / max(*page.get_size(), 1)
        scale = min(_PIXELS_PER_INCH / _POINTS_PER_INCH, most)
        picture = page.render(scale=scale).to_pil().convert("RGB")
    return read_page(picture, scale=1 / scale)


def better(lack: Lack, typed: Sequence[Line], seen: Sequence[Line]) -> Sequence[Line]:
    """What is kept of a page: what its text says, or what OCR has seen."""
    match lack:
        case Lack.PICTURE:
            return max(seen, typed, key=_count_letters)
        case Lack.POOR:
            return max(seen, typed, key=good_words)
        case Lack.GIBBERISH:
            # What looks like gibberish to the eye as well is a list of codes.
            return typed if is_gibberish(seen) else seen
    return seen or typed


def _has_letters(lines: Sequence[Line]) -> bool:
    letters = (1 for line in lines for character in line.text if character.isalnum())
    return sum(islice(letters, _FEWEST_CHARACTERS)) == _FEWEST_CHARACTERS


def _count_letters(lines: Sequence[Line]) -> int:
    return sum(character.isalnum() for line in lines for character in line.text)


def _shows_something(page: pypdfium2.PdfPage) -> bool:
    objects = islice(page.get_objects(max_depth=_FORM_DEPTH), _MANY_OBJECTS)
    kinds = [each.type for each in objects]
    return pdfium.FPDF_PAGEOBJ_IMAGE in kinds or len(kinds) == _MANY_OBJECTS
