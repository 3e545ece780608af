"""OpenDocument slides, from their own XML: one page each, its notes marked as notes."""

from collections.abc import Iterator
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.odt_text import rows_of, words
from ingest.parsers.open_document import (
    DRAWING,
    PRESENTATION,
    TABLE,
    TEXT,
    body_of,
    content_of,
    opened,
)

_NOTES = "Speaker notes"
_CLASS = f"{PRESENTATION}class"
_TITLE = "title"
# Frames whose words are the same on each slide, or the slide's own picture in small.
_MARGIN = frozenset(("page", "header", "footer", "date-time", "page-number"))
_LONGEST_TITLE = 200


def parse(path: Path) -> Iterator[Element | Pages]:
    """Each slide's title, texts, tables and notes.

    Raises: Permanent if the file is damaged or locked.
    """
    with opened(path) as container:
        slides = list(body_of(content_of(container), "presentation").iterchildren(f"{DRAWING}page"))
        yield Pages(0, len(slides))
        for number, slide in enumerate(slides, start=1):
            yield from _read_slide(slide, number)
            yield Pages(number, len(slides))


def _read_slide(slide: lxml.etree._Element, number: int) -> Iterator[Element]:
    title = _title_of(slide)
    path = (title or f"Slide {number}",)
    if title:
        yield Element(ElementKind.TITLE, title, number, path)
    for shape in slide:
        if shape.tag == f"{PRESENTATION}notes":
            yield from _notes(shape, number, path)
        elif not (title and shape.get(_CLASS) == _TITLE) and shape.get(_CLASS) not in _MARGIN:
            yield from _read_shape(shape, number, path)


def _title_of(slide: lxml.etree._Element) -> str:
    """The title's words, unless somebody wrote the whole slide in its place."""
    titles = (shape for shape in slide if shape.get(_CLASS) == _TITLE)
    text = " ".join(words(part) for shape in titles for part in shape.iter(f"{TEXT}p", f"{TEXT}h"))
    return text if len(text) <= _LONGEST_TITLE else ""


def _read_shape(
    shape: lxml.etree._Element, number: int, path: tuple[str, ...]
) -> Iterator[Element]:
    for part in shape.iter(f"{TEXT}p", f"{TEXT}h", f"{TABLE}table"):
        if part.tag == f"{TABLE}table":
            yield Element(ElementKind.TABLE, rows_of(part), number, path)
        elif next(part.iterancestors(f"{TABLE}table"), None) is None:
            is_item = next(part.iterancestors(f"{TEXT}list-item"), None) is not None
            kind = ElementKind.LIST_ITEM if is_item else ElementKind.TEXT
            yield Element(kind, words(part), number, path)


def _notes(notes: lxml.etree._Element, number: int, path: tuple[str, ...]) -> Iterator[Element]:
    frames = (frame for frame in notes if frame.get(_CLASS) not in _MARGIN)
    found = (words(part) for frame in frames for part in frame.iter(f"{TEXT}p", f"{TEXT}h"))
    if text := "\n".join(filter(None, found)):
        yield Element(ElementKind.NOTE, f"{_NOTES}: {text}", number, (*path, _NOTES))
