"""E-books (EPUB), part by part: each is a page, and is read as one."""

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.html import decode_html, read_body
from ingest.parsers.safe_xml import parsed_xml
from memory.domain.errors import Permanent

_CONTAINER = "META-INF/container.xml"
_LOCKS = "META-INF/encryption.xml"
_PROTECTED = "The book is protected against copying; only a copy without that can be read."
_IS_ENCRYPTED = 0x1
_PAGES = (".xhtml", ".html", ".htm")


def parse(path: Path) -> Iterator[Element | Pages]:
    """Title and authors, then the chapters in reading order.

    Raises: Permanent if the book is damaged or protected.
    """
    with told_as_damage(), zipfile.ZipFile(path) as book:
        package_path, package = _package(book)
        chapters = _chapters(package, package_path)
        _refuse_locked(book, chapters)
        yield Pages(0, len(chapters))
        title = _texts(package, "title")[:1]
        yield from _head(title, _texts(package, "creator"))
        place = tuple(title)
        for number, chapter in enumerate(chapters, start=1):
            for element in _read_chapter(book, chapter):
                # Long chapters go on in the next part, without their heading.
                place = element.heading_path or place
                yield replace(element, heading_path=place)
            yield Pages(number, len(chapters))


def _package(book: zipfile.ZipFile) -> tuple[str, lxml.etree._Element]:
    """The part that lists all others, and its path."""
    (path, *_) = parsed_xml(book.read(_CONTAINER)).xpath("//*[local-name()='rootfile']/@full-path")
    return str(path), parsed_xml(book.read(path))


def _chapters(package: lxml.etree._Element, package_path: str) -> list[str]:
    """The parts that are read one after the other, by their paths in the book.

    All its pages in the order of its list where the reading order names none of them.
    """
    items = package.xpath("//*[local-name()='manifest']/*[local-name()='item']")
    by_id = {item.get("id"): item.get("href", "") for item in items}
    order = package.xpath("//*[local-name()='spine']/*[local-name()='itemref']/@idref")
    folder = posixpath.dirname(package_path)
    read = [by_id[each] for each in order if each in by_id]
    pages = (href for href in by_id.values() if href.lower().endswith(_PAGES))
    paths = (unquote(href).partition("#")[0] for href in read or pages)
    return [posixpath.normpath(posixpath.join(folder, path)) for path in paths]


def _refuse_locked(book: zipfile.ZipFile, chapters: list[str]) -> None:
    locked = {part.filename for part in book.infolist() if part.flag_bits & _IS_ENCRYPTED}
    if _LOCKS in book.namelist():
        # Fonts are locked in many books, and nobody misses them.
        locked.update(map(unquote, parsed_xml(book.read(_LOCKS)).xpath("//@URI")))
    if locked.intersection(chapters):
        raise Permanent(_PROTECTED)


def _texts(package: lxml.etree._Element, name: str) -> list[str]:
    found = package.iterfind(f".//{{http://purl.org/dc/elements/1.1/}}{name}")
    return [" ".join("".join(each.itertext()).split()) for each in found]


def _head(title: list[str], authors: list[str]) -> Iterator[Element]:
    path = tuple(title)
    yield from (Element(ElementKind.TITLE, text, None, path) for text in title)
    yield Element(ElementKind.NOTE, ", ".join(authors), None, path)


def _read_chapter(book: zipfile.ZipFile, chapter: str) -> Iterator[Element]:
    # Books list pictures and parts that were never packed.
    if chapter in book.namelist():
        page = decode_html(book.read(chapter))
        if page.strip():
            yield from read_body(page)
