"""PDF text by PDFium, page by page, and by OCR where a page is a picture; headings by size."""

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.domain.elements import Element, ElementKind
from ingest.domain.refusals import LOCKED, STILL_LOCKED, NeedsPassword
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.ocr import OcrUnavailable
from ingest.parsers.pdf_layout import Outline, body_size, read_blocks
from ingest.parsers.pdf_lines import Line, opened_page, read_lines
from ingest.parsers.pdf_scans import is_picture, read_scan
from memory.domain.errors import Permanent

# The usual size of text is learned from so many pages; the rest is read as it is sent.
_LEARNING_PAGES = 8


def parse(path: Path) -> Iterator[Element | Pages | SlowPage]:
    """The headings and paragraphs of a PDF, each with its page.

    Raises: NeedsPassword; Permanent if it is damaged, or shows no text at all.
    """
    return parse_locked(path, "")


def parse_locked(path: Path, password: str) -> Iterator[Element | Pages | SlowPage]:
    """As `parse`, with the password of the document."""
    document = _opened(path, password)
    try:
        yield from _read(document)
    except pypdfium2.PdfiumError as error:
        raise Permanent(f"The file is damaged: {error}") from None
    finally:
        document.close()


def _opened(path: Path, password: str) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(path, password=password or None)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise NeedsPassword(STILL_LOCKED if password else LOCKED) from None
        if error.err_code == pdfium.FPDF_ERR_SECURITY:
            raise Permanent("The file is protected in a way that cannot be opened.") from None
        raise Permanent("The file is damaged: it cannot be read as a PDF.") from None
    if not len(document):
        raise Permanent("The file is damaged: it has no pages.")
    return document


def _read(document: pypdfium2.PdfDocument) -> Iterator[Element | Pages | SlowPage]:
    total = len(document)
    yield Pages(0, total)
    texts = (_lines_of(document, index) for index in range(total))
    first = list(islice(texts, _LEARNING_PAGES))
    usual_size = body_size(first)
    outline, unread = Outline(), _Unread()
    for number, lines in enumerate(chain(first, texts), start=1):
        size = usual_size
        if is_picture(document, number - 1, lines):
            yield SlowPage()
            lines = unread.lines_of(document, number, lines)
            size = body_size([lines])
        for block in read_blocks(lines, size):
            unread.is_all = False
            yield Element(block.kind, block.text, number, outline.path_of(block))
        yield Pages(number, total)
    yield from unread.note()


def _lines_of(document: pypdfium2.PdfDocument, index: int) -> list[Line]:
    with opened_page(document, index) as page:
        return read_lines(page)


class _Unread:
    """The pages that are pictures while OCR cannot run: told, and no reason to lose the others."""

    def __init__(self) -> None:
        self.is_all = True
        self._pages: list[int] = []
        self._reason: OcrUnavailable | None = None

    def lines_of(
        self, document: pypdfium2.PdfDocument, number: int, lines: list[Line]
    ) -> list[Line]:
        """What OCR reads; without it, the little text there is."""
        try:
            return read_scan(document, number - 1, lines)
        except OcrUnavailable as error:
            self._reason = error
            self._pages.append(number)
            return lines

    def note(self) -> Iterator[Element]:
        """Which pages were not read and why, in the document's last place.

        Raises: OcrUnavailable if no page could be read; Permanent if there was nothing to read.
        """
        if self.is_all:
            raise self._reason or Permanent("No text found in it.")
        if self._reason:
            pages = ", ".join(map(str, self._pages))
            text = f"Not read, because they are pictures: page {pages}. {self._reason}"
            yield Element(ElementKind.NOTE, text, self._pages[0], ())
