"""Org outlines by Pandoc, with the dates that it leaves out."""

import re
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.encodings import decode_lines
from ingest.parsers.pandoc import read_by_pandoc

_PLANNED = re.compile(
    r"^[ \t]*((?:(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[][^>\]\n]*[>\]][ \t]*)+)$", re.MULTILINE
)
_MARKS = re.compile(r"[<\[]([^>\]]*)[>\]]")


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, dates, paragraphs, items, tables and code of a file in any encoding.

    Raises: Permanent if it cannot be read.
    """
    text = decode_lines(path.read_bytes())
    yield from read_by_pandoc(_PLANNED.sub(_as_sentence, text).encode(), "org")


def _as_sentence(line: re.Match[str]) -> str:
    """A planning line as a paragraph of its own, below the drawer that may follow it."""
    dates = _MARKS.sub(r"\1", line[1]).replace("SCHEDULED", "Scheduled")
    return f"\n{dates.replace('DEADLINE', 'Deadline').replace('CLOSED', 'Closed')}\n"
