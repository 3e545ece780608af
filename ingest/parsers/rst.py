"""reStructuredText by Pandoc."""

from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.encodings import decode_text
from ingest.parsers.pandoc import read_by_pandoc


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items, tables and code of a file in any encoding.

    Raises: Permanent if it cannot be read.
    """
    yield from read_by_pandoc(decode_text(path.read_bytes()).encode(), "rst")
