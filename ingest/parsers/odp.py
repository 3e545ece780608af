"""OpenDocument slides, from their own XML: one page each, its notes marked as notes."""

import re
from collections.abc import Iterator
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.odt_text import rows_of, said_of, words
from ingest.parsers.open_document import (
    DRAWING,
    OFFICE,
    PRESENTATION,
    STYLE,
    TABLE,
    TEXT,
    body_of,
    content_of,
    drop_hidden,
    opened,
)
from ingest.parsers.rows import read_table

_NOTES = "Speaker notes"
_HIDDEN = "(hidden slide)"
_COMMENT = f"{OFFICE}annotation"
_BESIDE = frozenset((f"{PRESENTATION}notes", _COMMENT))
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_LENGTH = re.compile(r"(-?[\d.]+)(\w+)")
_UNITS = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "px": 2.54 / 96}
# Centimetres: boxes that stand side by side are hardly ever at the very same height.
_SAME_HEIGHT = 0.5
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
        content = content_of(container)
        drop_hidden(content)
        hidden = _hidden_styles(content)
        slides = list(body_of(content, "presentation").iterchildren(f"{DRAWING}page"))
        yield Pages(0, len(slides))
        for number, slide in enumerate(slides, start=1):
            is_hidden = slide.get(f"{DRAWING}style-name") in hidden
            yield from _read_slide(slide, number, is_hidden=is_hidden)
            yield Pages(number, len(slides))


def _hidden_styles(content: lxml.etree._Element) -> frozenset[str | None]:
    return frozenset(
        style.get(f"{STYLE}name")
        for style in content.iter(f"{STYLE}style")
        for properties in style.iterchildren(f"{STYLE}drawing-page-properties")
        if properties.get(f"{PRESENTATION}visibility") == "hidden"
    )


def _read_slide(slide: lxml.etree._Element, number: int, *, is_hidden: bool) -> Iterator[Element]:
    title = _title_of(slide)
    heading = f"{title or f'Slide {number}'}{f' {_HIDDEN}' if is_hidden else ''}"
    path = (heading,)
    if title or is_hidden:
        yield Element(ElementKind.TITLE, heading, number, path)
    for shape in _in_order(slide):
        if shape.tag == f"{PRESENTATION}notes":
            yield from _notes(shape, number, path)
        elif shape.tag == _COMMENT:
            yield Element(ElementKind.NOTE, said_of(shape), number, path)
        elif not (title and shape.get(_CLASS) == _TITLE) and shape.get(_CLASS) not in _MARGIN:
            yield from _read_shape(shape, number, path)


def _in_order(slide: lxml.etree._Element) -> list[lxml.etree._Element]:
    """From the top, then from the left; what hangs on the slide as a whole at the end."""
    return sorted(slide, key=lambda shape: (shape.tag in _BESIDE, _place(shape)))


def _place(shape: lxml.etree._Element) -> tuple[float, float]:
    found = (_LENGTH.match(shape.get(f"{_SVG}{axis}", "")) for axis in ("y", "x"))
    down, right = (float(each[1]) * _UNITS.get(each[2], 1.0) if each else 0.0 for each in found)
    return round(down / _SAME_HEIGHT), right


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
            yield from read_table(rows_of(part), path, page=number)
        elif next(part.iterancestors(f"{TABLE}table"), None) is None:
            is_item = next(part.iterancestors(f"{TEXT}list-item"), None) is not None
            kind = ElementKind.LIST_ITEM if is_item else ElementKind.TEXT
            yield Element(kind, words(part), number, path)


def _notes(notes: lxml.etree._Element, number: int, path: tuple[str, ...]) -> Iterator[Element]:
    frames = (frame for frame in notes if frame.get(_CLASS) not in _MARGIN)
    found = (words(part) for frame in frames for part in frame.iter(f"{TEXT}p", f"{TEXT}h"))
    if text := "\n".join(filter(None, found)):
        yield Element(ElementKind.NOTE, f"{_NOTES}: {text}", number, (*path, _NOTES))
