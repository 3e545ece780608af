"""OpenDocument texts, from their own XML."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.odt_text import OFFICE, STYLE, TEXT, Reader, words
from ingest.parsers.safe_xml import parsed_xml
from memory.domain.errors import Permanent

_CONTENT, _STYLES, _MANIFEST = "content.xml", "styles.xml", "META-INF/manifest.xml"
_LOCK = b"encryption-data"
_TITLE_STYLE = "Title"


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items, tables and notes in order; margins once, at the end.

    Raises: Permanent if the file is damaged or locked.
    """
    with told_as_damage(), zipfile.ZipFile(path) as container:
        if _MANIFEST in container.namelist() and _LOCK in container.read(_MANIFEST):
            raise Permanent(
                "The file is protected by a password. Save it without one and upload that."
            )
        content = parsed_xml(container.read(_CONTENT))
        body = content.find(f"{OFFICE}body/{OFFICE}text")
        if body is None:
            raise Permanent("The file is damaged: it holds no text.")
        yield from Reader(_title_styles(content)).read(body)
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
