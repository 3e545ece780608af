"""Rich text by Pandoc."""

from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.pandoc import read_by_pandoc
from ingest.parsers.rtf_letters import with_numbered_letters


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items and tables of an RTF file.

    Raises: Permanent if it cannot be read.
    """
    yield from read_by_pandoc(with_numbered_letters(path.read_bytes()), "rtf")
