"""What all OpenDocument files share: a container, its content, and a lock."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import lxml.etree

from ingest.parsers.damage import told_as_damage
from ingest.parsers.safe_xml import parsed_xml
from memory.domain.errors import Permanent

NAMES = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OFFICE, STYLE, TEXT, TABLE, DRAWING, PRESENTATION = (
    NAMES % name for name in ("office", "style", "text", "table", "drawing", "presentation")
)
_CONTENT, _MANIFEST = "content.xml", "META-INF/manifest.xml"
_LOCK = b"encryption-data"


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The container, for as long as it is read.

    Raises: Permanent if it is damaged or locked.
    """
    with told_as_damage(), zipfile.ZipFile(path) as container:
        if _MANIFEST in container.namelist() and _LOCK in container.read(_MANIFEST):
            raise Permanent(
                "The file is protected by a password. Save it without one and upload that."
            )
        yield container


def content_of(container: zipfile.ZipFile) -> lxml.etree._Element:
    """The root of what its author wrote."""
    return parsed_xml(container.read(_CONTENT))


def body_of(content: lxml.etree._Element, kind: str) -> lxml.etree._Element:
    """The part of the content that holds a text, a spreadsheet or a presentation.

    Raises: Permanent if there is none.
    """
    body = content.find(f"{OFFICE}body/{OFFICE}{kind}")
    if body is None:
        raise Permanent(f"The file is damaged: it holds no {kind}; save it anew and upload that.")
    return body


def hidden_tables(content: lxml.etree._Element) -> frozenset[str]:
    """The names of the styles whose tables are not shown."""
    return frozenset(
        style.get(f"{STYLE}name", "")
        for style in content.iter(f"{STYLE}style")
        for properties in style.iterchildren(f"{STYLE}table-properties")
        if properties.get(f"{TABLE}display") == "false"
    )


def drop_hidden(content: lxml.etree._Element) -> None:
    """Take out what a reader of the document does not see."""
    hidden = {
        style.get(f"{STYLE}name", "")
        for style in content.iter(f"{STYLE}style")
        for properties in style.iterchildren(f"{STYLE}text-properties")
        if properties.get(f"{TEXT}display") == "none"
    }
    for part in list(content.iter(f"{TEXT}section", f"{TEXT}span", f"{TEXT}p", f"{TEXT}h")):
        is_hidden = (
            part.get(f"{TEXT}display") == "none"
            or part.get(f"{TEXT}style-name") in hidden
            or any(field.get(f"{TEXT}is-hidden") == "true" for field in _switches(part))
        )
        if is_hidden:
            _drop(part)
    for words in list(content.iter(f"{TEXT}hidden-text")):
        if words.get(f"{TEXT}is-hidden") == "true":
            _drop(words)


def _switches(part: lxml.etree._Element) -> Iterator[lxml.etree._Element]:
    """The fields in a paragraph that show or hide it as a whole."""
    if part.tag == f"{TEXT}p":
        yield from part.iterchildren(f"{TEXT}hidden-paragraph")


def _drop(part: lxml.etree._Element) -> None:
    """Take out a part; the text behind it belongs to its parent and stays."""
    parent = part.getparent()
    if parent is not None:
        tail, part.text = part.tail, None
        parent.replace(part, gap := parent.makeelement(f"{TEXT}hidden"))
        gap.tail = tail
