"""The characters of a PDF page as PDFium finds them: what they say and where they stand."""

import ctypes
import math
import re
import sys
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.parsers.pdf_geometry import Area
from ingest.parsers.pdf_trust import is_unreadable, reads_as_language

_WORD_START = re.compile(r"(?<!\S)\S")
_SAMPLES = 8
_UNUSUAL = re.compile(r"[^ -~\r\n]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class Characters:
    """All characters of one page, each with its number."""

    def __init__(self, text_page: pypdfium2.PdfTextPage) -> None:
        self.raw = text_page.raw
        self.string = _characters(self.raw, text_page.count_chars())
        self._unknown = _unknown(self.raw, self.string)
        self._rect = pdfium.FS_RECTF()
        self._rect_pointer = ctypes.byref(self._rect)

    def text(self, start: int, end: int) -> str:
        """Those between two places; what nobody can tell is left out."""
        text = self.string[start:end]
        if self._unknown and not self._unknown.isdisjoint(range(start, end)):
            text = "".join(
                character
                for index, character in enumerate(text, start=start)
                if index not in self._unknown
            )
        return text.replace("\x02", "-").replace("\ufffe", "-")

    def area(self, index: int) -> Area:
        """A character's cell, which is as tall for “a” as for “b”."""
        rect = self._rect
        pdfium.FPDFText_GetLooseCharBox(self.raw, index, self._rect_pointer)
        return rect.left, rect.bottom, rect.right, rect.top

    def size(self, index: int) -> float:
        """The size a character is drawn at: its font's size times the scale of its matrix."""
        matrix = self._matrix(index)
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        return scale * float(pdfium.FPDFText_GetFontSize(self.raw, index))

    def quarters(self, index: int) -> int:
        """How many clockwise quarter turns of the page the character needs to stand upright."""
        matrix = self._matrix(index)
        return round(math.atan2(matrix.b, matrix.a) / (math.pi / 2)) % 4

    def _matrix(self, index: int) -> Any:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self.raw, index, ctypes.byref(matrix))
        return matrix


def _characters(raw: Any, count: int) -> str:
    """The page's text, one character for each that PDFium counts."""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(raw, 0, count, buffer)
    text = bytes(buffer).decode("utf-16-le", "surrogatepass")[:-1]
    # Some characters are left out of it, and rare ones take two places.
    if written == count + 1 and len(text) == count and "\0" not in text:
        return text
    read = pdfium.FPDFText_GetUnicode
    codes = [read(raw, index) for index in range(count)]
    return "".join(chr(code) if code <= sys.maxunicode else _REPLACEMENT for code in codes)


def _unknown(raw: Any, string: str) -> frozenset[int]:
    """The places of the characters of which nobody knows what they stand for."""
    is_wrong = pdfium.FPDFText_HasUnicodeMapError
    unnamed: list[int] = []
    if any(is_wrong(raw, index) for index in _samples(string)):
        unnamed = [index for index in range(len(string)) if is_wrong(raw, index)]
    # Fonts without names may be numbered as the alphabet is: then their numbers make words.
    if unnamed and reads_as_language("".join(string[index] for index in unnamed)):
        unnamed = []
    strange = (each.start() for each in _UNUSUAL.finditer(string))
    return frozenset((*unnamed, *(index for index in strange if is_unreadable(ord(string[index])))))


def _samples(string: str) -> Iterator[int]:
    """Places of which one is wrong if a font of the page has letters without names.

    Asking for all would take as long as reading them.
    """
    yield from (each.start() for each in _WORD_START.finditer(string))
    for character in set(string):
        place = string.find(character)
        for _ in range(_SAMPLES):
            yield place
            place = string.find(character, place + 1)
            if place < 0:
                break
