"""Plain text: paragraphs between blank lines, whatever the encoding."""

import re
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.encodings import decode_lines

_PARAGRAPH_END = re.compile(r"\n(?:[ \t]*\n)+")
_FORM_FEED = "\f"


def parse(path: Path) -> Iterator[Element | Pages]:
    """The paragraphs of a text file; form feeds end its pages, if it has any.

    Raises: Permanent if no encoding fits.
    """
    text = decode_lines(path.read_bytes())
    pages = text.split(_FORM_FEED)
    is_paged = len(pages) > 1
    for number, page in enumerate(pages, start=1):
        for paragraph in paragraphs_of(page):
            yield Element(ElementKind.TEXT, paragraph, number if is_paged else None, ())


def paragraphs_of(text: str) -> Iterator[str]:
    """What blank lines divide; lines end with a line feed alone."""
    for paragraph in _PARAGRAPH_END.split(text):
        if paragraph.strip():
            yield paragraph.strip("\n")
