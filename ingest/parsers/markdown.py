"""Markdown by `unstructured`, which makes HTML of it first."""

import re
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers import unstructured_setup  # noqa: F401 - must come before unstructured
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_lines
from ingest.parsers.unstructured_elements import translated

from unstructured.partition.md import partition_md  # isort: skip

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items, tables and code of a Markdown file in order."""
    text = decode_lines(path.read_bytes())
    front_matter = _FRONT_MATTER.match(text)
    if front_matter is not None:
        # Read as Markdown its closing line would make a heading of it.
        yield Element(ElementKind.NOTE, front_matter.group(1), None, ())
        text = text[front_matter.end() :]
    yield from read_markdown(text)


def read_markdown(text: str) -> Iterator[Element]:
    """The elements of a text in Markdown; its lines end with a line feed alone."""
    with told_as_damage():
        elements = list(translated(partition_md(text=text, languages=[""])))
    yield from elements
