"""PowerPoint slides by python-pptx: one page each, its notes marked as notes."""

from collections.abc import Iterator
from pathlib import Path

from pptx.exc import PythonPptxError
from pptx.package import Package
from pptx.parts.presentation import PresentationPart
from pptx.presentation import Presentation
from pptx.slide import Slide

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.open_xml import opened_package
from ingest.parsers.pptx_shapes import comments_of, is_footer, read_shapes
from ingest.parsers.pptx_tidy import tidy

_NOTES = "Speaker notes"
_HIDDEN = "(hidden slide)"
_LONGEST_TITLE = 200
_OFF = frozenset(("0", "false", "off"))


def parse(path: Path) -> Iterator[Element | Pages]:
    """Each slide's title, texts, tables, notes and comments; footers once, at the end.

    Raises: Permanent if the file is no readable presentation.
    """
    with told_as_damage(PythonPptxError), opened_package(path) as file:
        slides = _opened(Package.open(file).main_document_part).slides
        total = len(slides)
        yield Pages(0, total)
        footers: dict[str, None] = {}
        for number, slide in enumerate(slides, start=1):
            tidy(slide.element)
            yield from _read_slide(slide, number)
            footers |= dict.fromkeys(_footers(slide))
            yield Pages(number, total)
        for footer in footers:
            yield Element(ElementKind.NOTE, footer, None, ())


def _opened(part: object) -> Presentation:
    # A show, a template or a file with macros holds slides as any other.
    if not isinstance(part, PresentationPart):
        raise TypeError(type(part).__name__)
    presentation: Presentation = part.presentation
    return presentation


def _read_slide(slide: Slide, number: int) -> Iterator[Element]:
    title = _title_of(slide)
    # Slides without a title must not run together either.
    heading = title or f"Slide {number}"
    if slide.element.get("show") in _OFF:
        heading = title = f"{heading} {_HIDDEN}"
    path = (heading,)
    if title:
        yield Element(ElementKind.TITLE, title, number, path)
    has_title = bool(_title_of(slide))
    for kind, text in read_shapes(slide, without=slide.shapes.title if has_title else None):
        yield Element(kind, text, number, path)
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        text = f"{_NOTES}: {notes.text}".replace("\v", "\n")
        yield Element(ElementKind.NOTE, text, number, (*path, _NOTES))
    for comment in comments_of(slide):
        yield Element(ElementKind.NOTE, comment, number, path)


def _title_of(slide: Slide) -> str:
    """The title's words, unless somebody wrote the whole slide in its place."""
    title = slide.shapes.title
    words = " ".join(title.text_frame.text.split()) if title is not None else ""
    return words if len(words) <= _LONGEST_TITLE else ""


def _footers(slide: Slide) -> Iterator[str]:
    for shape in slide.placeholders:
        if is_footer(shape) and shape.has_text_frame and shape.text_frame.text.strip():
            yield shape.text_frame.text
