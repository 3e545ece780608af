"""PowerPoint slides by python-pptx: one page each, its notes marked as notes."""

from collections.abc import Iterator
from pathlib import Path

import pptx
from pptx.exc import PythonPptxError
from pptx.slide import Slide

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.pptx_shapes import is_footer, read_shapes

_NOTES = "Speaker notes"
_LONGEST_TITLE = 200


def parse(path: Path) -> Iterator[Element | Pages]:
    """Each slide's title, texts, tables and notes; footers once, at the end.

    Raises: Permanent if the file is no readable presentation.
    """
    with told_as_damage(PythonPptxError):
        slides = pptx.Presentation(str(path)).slides
        total = len(slides)
        yield Pages(0, total)
        footers: dict[str, None] = {}
        for number, slide in enumerate(slides, start=1):
            yield from _read_slide(slide, number)
            footers |= dict.fromkeys(_footers(slide))
            yield Pages(number, total)
        for footer in footers:
            yield Element(ElementKind.NOTE, footer, None, ())


def _read_slide(slide: Slide, number: int) -> Iterator[Element]:
    title = _title_of(slide)
    # Slides without a title must not run together either.
    path = (title or f"Slide {number}",)
    if title:
        yield Element(ElementKind.TITLE, title, number, path)
    for kind, text in read_shapes(slide, without=slide.shapes.title if title else None):
        yield Element(kind, text, number, path)
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        text = f"{_NOTES}: {notes.text}".replace("\v", "\n")
        yield Element(ElementKind.NOTE, text, number, (*path, _NOTES))


def _title_of(slide: Slide) -> str:
    """The title's words, unless somebody wrote the whole slide in its place."""
    title = slide.shapes.title
    words = " ".join(title.text_frame.text.split()) if title is not None else ""
    return words if len(words) <= _LONGEST_TITLE else ""


def _footers(slide: Slide) -> Iterator[str]:
    for shape in slide.placeholders:
        if is_footer(shape) and shape.has_text_frame and shape.text_frame.text.strip():
            yield shape.text_frame.text
