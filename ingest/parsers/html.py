"""HTML: what a reader of the page sees, by `unstructured`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import lxml.etree
import lxml.html

from ingest.domain.elements import Element, ElementKind
from ingest.domain.media_types import byte_order_mark
from ingest.parsers import unstructured_setup  # noqa: F401 - must come before unstructured
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_stated, decode_text
from ingest.parsers.unstructured_elements import translated
from memory.domain.errors import Permanent

from unstructured.partition.html import partition_html  # isort: skip

_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_DECLARATION_BYTES = 4_096
# Hidden parts, and the signs by which a reader jumps to a note and back.
_UNSEEN = (
    "//*[@role='doc-noteref'] | //*[@role='doc-backlink'] | "
    "//script | //style | //template | //noscript | //*[@hidden]"
    " | //*[contains(translate(@style, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ ',"
    " 'abcdefghijklmnopqrstuvwxyz'), 'display:none')]"
    " | //*[contains(translate(@style, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ ',"
    " 'abcdefghijklmnopqrstuvwxyz'), 'visibility:hidden')]"
)


def parse(path: Path) -> Iterator[Element | Pages]:
    """The visible text of a page in order; its title stands above it if no heading repeats it.

    Raises: Permanent if there is nothing to parse in it.
    """
    yield from read_page(decode_html(path.read_bytes()))


def read_page(page: str) -> list[Element]:
    """As `parse`, of a page that is text already.

    Raises: Permanent if there is nothing to parse in it.
    """
    root, elements = _read(page)
    title = " ".join(root.findtext(".//head/title", default="").split())
    return list(_titled(title, elements))


def read_body(page: str) -> list[Element]:
    """As `read_page`, without the page's title.

    Raises: Permanent if there is nothing to parse in it.
    """
    return _read(page)[1]


def decode_html(content: bytes) -> str:
    """The text of a page: byte order mark, then what it declares, then as for any text."""
    declared = _DECLARED.search(content[:_DECLARATION_BYTES])
    if byte_order_mark(content) is None and declared is not None:
        return decode_stated(content, declared.group(1).decode("ascii", errors="replace"))
    return decode_text(content)


def _read(page: str) -> tuple[lxml.html.HtmlElement, list[Element]]:
    with told_as_damage():
        root = _parsed(page)
        _keep_visible(root)
        visible = lxml.html.tostring(root, encoding="unicode")
        return root, list(translated(partition_html(text=visible, languages=[""])))


def _parsed(text: str) -> lxml.html.HtmlElement:
    try:
        return lxml.html.document_fromstring(_XML_DECLARATION.sub("", text))
    except lxml.etree.ParserError:
        raise Permanent("No text found in the file.") from None


def _keep_visible(root: lxml.html.HtmlElement) -> None:
    for element in root.xpath(_UNSEEN):
        # The text behind an element belongs to its parent and stays.
        element.drop_tree()
    for main in root.iter("main"):
        # `unstructured` would take the first of these for the whole page.
        main.tag = "div"


def _titled(title: str, known: list[Element]) -> Iterator[Element]:
    headings = {element.text for element in known if element.kind is ElementKind.TITLE}
    if not title or not known or title in headings:
        yield from known
        return
    yield Element(ElementKind.TITLE, title, None, (title,))
    for element in known:
        yield replace(element, heading_path=(title, *element.heading_path))
