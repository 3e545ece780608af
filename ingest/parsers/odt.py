"""OpenDocument texts, from their own XML."""

from collections.abc import Iterator
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.odt_text import Reader, words
from ingest.parsers.open_document import STYLE, TEXT, body_of, content_of, drop_hidden, opened
from ingest.parsers.safe_xml import parsed_xml

_STYLES = "styles.xml"
_TITLE_STYLE = "Title"


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items, tables and notes in order; margins once, at the end.

    Raises: Permanent if the file is damaged or locked.
    """
    with opened(path) as container:
        content = content_of(container)
        drop_hidden(content)
        yield from Reader(_title_styles(content)).read(body_of(content, "text"))
        if _STYLES in container.namelist():
            yield from _margins(parsed_xml(container.read(_STYLES)))


def _title_styles(content: lxml.etree._Element) -> frozenset[str]:
    """The style of a document's title, and those made from it."""
    styles = content.iter(f"{STYLE}style")
    made = (
        style.get(f"{STYLE}name", "")
        for style in styles
        if style.get(f"{STYLE}parent-style-name") == _TITLE_STYLE
    )
    return frozenset((_TITLE_STYLE, *made))


def _margins(styles: lxml.etree._Element) -> Iterator[Element]:
    paragraphs = (
        words(paragraph)
        for margin in styles.iter(f"{STYLE}header", f"{STYLE}footer")
        for paragraph in margin.iter(f"{TEXT}p")
    )
    for text in dict.fromkeys(paragraphs):
        yield Element(ElementKind.NOTE, text, None, ())
