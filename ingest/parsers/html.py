"""HTML: what a reader of the page sees, by the page reader of `unstructured`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.domain.media_types import byte_order_mark
from ingest.parsers import unstructured_setup  # noqa: F401 - must come before unstructured
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_declared, decode_text
from ingest.parsers.html_visible import keep_visible
from ingest.parsers.unstructured_elements import translated
from memory.domain.errors import Permanent

from unstructured.partition.html import parser  # isort: skip
from ingest.parsers import html_tables  # noqa: F401 - how tables are read # isort: skip

_DECLARED = re.compile(
    rb"<(?:meta[^>]+charset|\?xml[^>]+encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE
)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DECLARATION_BYTES = 4_096
# Without the limits that the library sets for parts inside parts and for one long text.
_READER = lxml.etree.HTMLParser(
    remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8"
)
_READER.set_element_class_lookup(parser.element_class_lookup)


def parse(path: Path) -> Iterator[Element | Pages]:
    """The visible text of a page in order; its title stands above it if no heading repeats it.

    Raises: Permanent if there is nothing to parse in it.
    """
    yield from read_page(decode_html(path.read_bytes()))


def read_page(page: str) -> list[Element]:
    """As `parse`, of a page that is text already.

    Raises: Permanent if there is nothing to parse in it.
    """
    with told_as_damage():
        root = _parsed(page)
        title = " ".join(root.findtext(".//title", default="").split())
        return list(_titled(title, _read(root)))


def read_body(page: str) -> list[Element]:
    """As `read_page`, without the page's title.

    Raises: Permanent if there is nothing to parse in it.
    """
    with told_as_damage():
        return _read(_parsed(page))


def decode_html(content: bytes) -> str:
    """The text of a page: byte order mark, then what it declares, then as for any text."""
    declared = _DECLARED.search(content[:_DECLARATION_BYTES])
    if byte_order_mark(content) is None and declared is not None:
        return decode_declared(content, declared.group(1).decode("ascii", errors="replace"))
    return decode_text(content)


def _parsed(text: str) -> lxml.etree._Element:
    # As bytes: a text may still state the encoding that it once had.
    content = _XML_DECLARATION.sub("", text).replace("\x00", "").encode("utf-8", "replace")
    try:
        root = lxml.etree.fromstring(content, _READER)
    except lxml.etree.ParserError:
        root = None
    if root is None:
        raise Permanent("No text found in the file.")
    return root


def _read(root: lxml.etree._Element) -> list[Element]:
    keep_visible(root)
    parser.Math._normalize_katex(root)
    body = root.find(".//body")
    return list(translated((root if body is None else body).iter_elements()))


def _titled(title: str, known: list[Element]) -> Iterator[Element]:
    headings = {element.text for element in known if element.kind is ElementKind.TITLE}
    if not title or not known or title in headings:
        yield from known
        return
    yield Element(ElementKind.TITLE, title, None, (title,))
    for element in known:
        yield replace(element, heading_path=(title, *element.heading_path))
