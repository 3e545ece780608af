"""Rich text by Pandoc."""

from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.pandoc import read_by_pandoc


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items and tables of an RTF file.

    Raises: Permanent if it cannot be read.
    """
    yield from read_by_pandoc(path.read_bytes(), "rtf")
