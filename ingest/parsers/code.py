"""Source code and settings: as they are written, cut between their blocks."""

from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.encodings import decode_lines


def parse(path: Path) -> Iterator[Element | Pages]:
    """The blocks of the file: each begins after a blank line, at the margin."""
    text = decode_lines(path.read_bytes())
    for block in blocks_of(text):
        yield Element(ElementKind.CODE, block, None, ())


def blocks_of(text: str) -> Iterator[str]:
    """What a blank line and a line without indent divide; lines end with a line feed alone."""
    block: list[str] = []
    is_after_blank = False
    for line in text.split("\n"):
        is_blank = not line.strip()
        if is_after_blank and not is_blank and not line[0].isspace() and any(block):
            yield "\n".join(block).strip("\n")
            block = []
        block.append(line.rstrip())
        is_after_blank = is_blank
    if any(block):
        yield "\n".join(block).strip("\n")
