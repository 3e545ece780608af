"""PDF text by PDFium, page by page; headings are told by their size."""

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.pdf_layout import Block, body_size, read_blocks
from ingest.parsers.pdf_lines import Line, read_lines
from memory.domain.errors import Permanent

# The usual size of text is learned from so many pages; the rest is read as it is sent.
_LEARNING_PAGES = 8


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings and paragraphs of a PDF, each with its page.

    Raises: Permanent if it is damaged, locked, or has no text at all.
    """
    document = _opened(path)
    try:
        yield from _read(document)
    except pypdfium2.PdfiumError as error:
        raise Permanent(f"The file is damaged: {error}") from None
    finally:
        document.close()


def _opened(path: Path) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise Permanent("The file is protected by a password.") from None
        if error.err_code == pdfium.FPDF_ERR_SECURITY:
            raise Permanent("The file is protected in a way that cannot be opened.") from None
        raise Permanent("The file is damaged: it cannot be read as a PDF.") from None
    if not len(document):
        raise Permanent("The file is damaged: it has no pages.")
    return document


def _read(document: pypdfium2.PdfDocument) -> Iterator[Element | Pages]:
    total = len(document)
    yield Pages(0, total)
    pages = (_lines_of(document, index) for index in range(total))
    first = list(islice(pages, _LEARNING_PAGES))
    usual_size = body_size(first)
    outline = _Outline()
    is_blank = True
    for number, lines in enumerate(chain(first, pages), start=1):
        for block in read_blocks(lines, usual_size):
            is_blank = False
            yield Element(block.kind, block.text, number, outline.path_of(block))
        yield Pages(number, total)
    if is_blank:
        raise Permanent("No text found; OCR is not available yet.")


def _lines_of(document: pypdfium2.PdfDocument, index: int) -> list[Line]:
    page = document[index]
    try:
        return read_lines(page)
    finally:
        page.close()


class _Outline:
    """The headings that hold at a place: a larger one ends all smaller ones."""

    def __init__(self) -> None:
        self._open: list[Block] = []

    def path_of(self, block: Block) -> tuple[str, ...]:
        if block.kind is ElementKind.TITLE:
            while self._open and self._open[-1].size <= block.size:
                self._open.pop()
            self._open.append(block)
        return tuple(heading.text for heading in self._open)
