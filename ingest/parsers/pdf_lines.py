"""The lines of a PDF page as PDFium finds them, each with its size and place."""

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pypdfium2
import pypdfium2.raw as pdfium

# PDFium writes these for a hyphen that breaks a word at the end of a line.
_BREAKING_HYPHENS = (0x02, 0xFFFE)
_LINE_ENDS = (0x0A, 0x0D)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, or of cells that stand apart. Units: PDF points, upwards and right."""

    text: str
    size: float
    left: float
    right: float
    bottom: float
    top: float
    is_row: bool = False


@contextmanager
def opened_page(document: pypdfium2.PdfDocument, index: int) -> Iterator[pypdfium2.PdfPage]:
    """One page, closed again at the end."""
    page = document[index]
    try:
        yield page
    finally:
        page.close()


def read_lines(page: pypdfium2.PdfPage) -> list[Line]:
    """The page's lines in the order of its content, pieces that share a line put together.

    Raises: PdfiumError if the page has no readable content.
    """
    text_page = page.get_textpage()
    try:
        return _joined(_fragments(text_page.raw, text_page.count_chars()))
    finally:
        text_page.close()


def _fragments(raw: object, count: int) -> Iterator[Line]:
    codes = [pdfium.FPDFText_GetUnicode(raw, index) for index in range(count)]
    start = 0
    for end in range(count + 1):
        is_end = end == count or codes[end] in _LINE_ENDS
        is_broken = not is_end and codes[end] in _BREAKING_HYPHENS
        if is_end or is_broken:
            line = _line(raw, codes, start, end + is_broken)
            if line is not None:
                yield line
            start = end + 1


def _line(raw: object, codes: list[int], start: int, end: int) -> Line | None:
    text = "".join(
        "-" if code in _BREAKING_HYPHENS else chr(code) for code in codes[start:end] if code
    )
    inked = [index for index in range(start, end) if codes[index] > 0x20]
    if not inked:
        return None
    left, _, bottom, top = _box(raw, inked[0])
    _, right, last_bottom, last_top = _box(raw, inked[-1])
    size = _size(raw, inked[len(inked) // 2])
    return Line(
        " ".join(text.split()), size, left, right, min(bottom, last_bottom), max(top, last_top)
    )


def _box(raw: object, index: int) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of a character's cell, which is as tall for “a” as for “b”."""
    rect = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(raw, index, ctypes.byref(rect))
    return rect.left, rect.right, rect.bottom, rect.top


def _size(raw: object, index: int) -> float:
    """The size a character is drawn at: its font's size times the scale of its matrix."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, ctypes.byref(matrix))
    scale = math.hypot(matrix.c, matrix.d) or 1.0
    return round(2 * scale * float(pdfium.FPDFText_GetFontSize(raw, index))) / 2


def _joined(fragments: Iterator[Line]) -> list[Line]:
    """Put pieces on one line together: a raised footnote mark ends none."""
    lines: list[Line] = []
    for fragment in fragments:
        if lines and _continues(lines[-1], fragment):
            lines[-1] = _merged(lines[-1], fragment)
        else:
            lines.append(fragment)
    return lines


def _continues(line: Line, fragment: Line) -> bool:
    middle = (fragment.bottom + fragment.top) / 2
    is_level = line.bottom <= middle <= line.top or (
        fragment.bottom <= (line.bottom + line.top) / 2 <= fragment.top
    )
    return is_level and fragment.left >= line.right - line.size / 2


def _merged(line: Line, fragment: Line) -> Line:
    taller = max(line, fragment, key=lambda one: one.size)
    is_apart = fragment.left - line.right > 0.12 * taller.size
    return replace(
        taller,
        text=line.text + (" " if is_apart else "") + fragment.text,
        left=line.left,
        right=fragment.right,
    )
