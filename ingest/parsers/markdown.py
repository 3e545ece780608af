"""Markdown by markdown-it: it makes a page of it, which is read as any other."""

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_lines
from ingest.parsers.html import read_body

_FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n(.*?)\n(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?)\n\+\+\+)[ \t]*(?:\n|$)", re.DOTALL
)
_WRITER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items, tables and code of a Markdown file in order.

    Raises: Permanent if there is nothing to parse in it.
    """
    text = decode_lines(path.read_bytes())
    front_matter = _FRONT_MATTER.match(text)
    if front_matter is not None:
        # Read as Markdown its closing line would make a heading of it.
        yield Element(ElementKind.NOTE, front_matter[1] or front_matter[2], None, ())
        text = text[front_matter.end() :]
    yield from read_markdown(text)


def read_markdown(text: str) -> list[Element]:
    """The elements of a text in Markdown; its lines end with a line feed alone.

    Raises: Permanent if there is nothing to parse in it.
    """
    with told_as_damage():
        page = _WRITER.render(text)
    return read_body(page) if page.strip() else []
