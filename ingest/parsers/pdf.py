"""PDF text by PDFium, page by page, and by OCR where a page is a picture; headings by size."""

import contextlib
from collections.abc import Generator, Iterator
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.domain.elements import Element
from ingest.domain.refusals import LOCKED, STILL_LOCKED, NeedsPassword
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.ocr import OcrUnavailable
from ingest.parsers.pdf_lines import PageText, opened_page, read_text
from ingest.parsers.pdf_notes import AGAIN, Notes
from ingest.parsers.pdf_pages import Page, elements_of
from ingest.parsers.pdf_rescue import rescued
from ingest.parsers.pdf_scans import Lack, better, is_mostly_picture, lack_of, read_scan
from memory.domain.errors import Permanent


def parse(path: Path) -> Iterator[Element | Pages | SlowPage]:
    """The headings, paragraphs and tables of a PDF, each with its page; notes on it last.

    Raises: NeedsPassword; Permanent if it is damaged, or shows no text at all.
    """
    return parse_locked(path, "")


def parse_locked(path: Path, password: str) -> Iterator[Element | Pages | SlowPage]:
    """As `parse`, with the password of the document."""
    document = _opened(path, password)
    try:
        yield from _read(document)
    finally:
        document.close()


def _opened(path: Path, password: str) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(path, password=password or None)
    except pypdfium2.PdfiumError as error:
        # PDFium may tell the error of a file before this one; what is locked says so itself.
        code = error.err_code if b"/Encrypt" in path.read_bytes() else None
        if code == pdfium.FPDF_ERR_PASSWORD:
            raise NeedsPassword(STILL_LOCKED if password else LOCKED) from None
        if code == pdfium.FPDF_ERR_SECURITY:
            raise Permanent(
                "The file is protected in a way that cannot be opened here. Open it in the "
                "program that made it and save or print it as a PDF without protection."
            ) from None
        document = _rescued(path)
    if not len(document):
        raise Permanent(f"The file is damaged: it has no pages. {AGAIN}")
    return document


def _rescued(path: Path) -> pypdfium2.PdfDocument:
    """The document with what is left of it.

    Raises: Permanent if nothing is.
    """
    for content in rescued(path.read_bytes()):
        with contextlib.suppress(pypdfium2.PdfiumError):
            document = pypdfium2.PdfDocument(content)
            if len(document):
                return document
            document.close()
    raise Permanent(f"The file is damaged: it cannot be read as a PDF. {AGAIN}") from None


def _read(document: pypdfium2.PdfDocument) -> Iterator[Element | Pages | SlowPage]:
    total = len(document)
    yield Pages(0, total)
    notes = Notes()
    pages: list[Page] = []
    for number in range(1, total + 1):
        try:
            pages.append((yield from _looked_at(document, number, notes)))
        except pypdfium2.PdfiumError:
            notes.damaged(number)
            pages.append(Page(number, []))
        yield Pages(number, total)
    notes.is_repaired = not pdfium.FPDF_DocumentHasValidCrossReferenceTable(document.raw)
    if not any(page.pieces for page in pages):
        raise notes.unavailable or Permanent(notes.reason_for_nothing(total))
    yield from elements_of(pages)
    yield from notes.elements()


def _looked_at(
    document: pypdfium2.PdfDocument, number: int, notes: Notes
) -> Generator[SlowPage, None, Page]:
    """One page, announced if it takes long.

    Raises: PdfiumError if it is damaged.
    """
    with opened_page(document, number - 1) as page:
        is_slow = is_mostly_picture(page)
        if is_slow:
            yield SlowPage()
        text = read_text(page)
    if text.hidden:
        notes.hidden(number)
    lack = lack_of(document, number - 1, text)
    if lack is not Lack.NONE and not is_slow:
        yield SlowPage()
    return _page(document, number, text, lack=lack, notes=notes)


def _page(
    document: pypdfium2.PdfDocument, number: int, text: PageText, *, lack: Lack, notes: Notes
) -> Page:
    if lack is Lack.NONE:
        return Page(number, text.lines)
    try:
        seen = read_scan(document, number - 1)
    except OcrUnavailable as error:
        if lack is not Lack.POOR:
            notes.unseen(number, lack, error)
        return Page(number, [] if lack is Lack.GIBBERISH else text.lines)
    kept = better(lack, text.lines, seen)
    if lack is Lack.UNDECODABLE and kept is not seen:
        notes.undecoded(number)
    return Page(number, kept, is_scan=kept is seen)
