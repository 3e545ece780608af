"""Pages of a PDF that are pictures: told by what they lack, drawn, and read by OCR."""

import unicodedata
from itertools import islice

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.parsers.ocr_pages import read_page
from ingest.parsers.pdf_lines import Line, opened_page

# A scan may carry its page number or a stamp as text.
_FEWEST_CHARACTERS = 20
_MOST_JUNK = 0.5
# Letters that are drawn as curves make many; a rule or a frame makes few.
_MANY_OBJECTS = 100
_FORM_DEPTH = 3

_POINTS_PER_INCH = 72
_PIXELS_PER_INCH = 200
_LONGEST_SIDE = 3_500
# Private use, unassigned, and what stands for a character that is not known.
_JUNK_CATEGORIES = frozenset({"Co", "Cn"})
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def is_picture(document: pypdfium2.PdfDocument, index: int, lines: list[Line]) -> bool:
    """Whether what can be seen on the page is not in its lines of text."""
    if _is_readable(lines):
        return False
    with opened_page(document, index) as page:
        return _shows_something(page)


def read_scan(document: pypdfium2.PdfDocument, index: int, lines: list[Line]) -> list[Line]:
    """The lines that can be seen on the page, or those of its text if they tell more.

    Raises: OcrUnavailable; PdfiumError if the page cannot be drawn.
    """
    with opened_page(document, index) as page:
        most = _LONGEST_SIDE / max(*page.get_size(), 1)
        scale = min(_PIXELS_PER_INCH / _POINTS_PER_INCH, most)
        picture = page.render(scale=scale).to_pil().convert("RGB")
    seen = read_page(picture, scale=1 / scale)
    return max(seen, lines, key=_count_letters)


def _is_readable(lines: list[Line]) -> bool:
    text = "".join(line.text for line in lines)
    junk = sum(
        each == _REPLACEMENT or unicodedata.category(each) in _JUNK_CATEGORIES for each in text
    )
    return _count_letters(lines) >= _FEWEST_CHARACTERS and junk <= _MOST_JUNK * len(text)


def _count_letters(lines: list[Line]) -> int:
    return sum(character.isalnum() for line in lines for character in line.text)


def _shows_something(page: pypdfium2.PdfPage) -> bool:
    objects = islice(page.get_objects(max_depth=_FORM_DEPTH), _MANY_OBJECTS)
    kinds = [each.type for each in objects]
    return pdfium.FPDF_PAGEOBJ_IMAGE in kinds or len(kinds) == _MANY_OBJECTS
