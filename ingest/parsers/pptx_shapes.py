"""What stands on a slide: texts, tables, charts and diagrams, from the top left."""

from collections.abc import Iterable, Iterator

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.table import Table
from pptx.text.text import TextFrame

from ingest.domain.elements import ElementKind
from ingest.parsers.drawn_parts import (
    CHART_RELATION,
    DIAGRAM_RELATION,
    chart_rows,
    chart_words,
    diagram_words,
)
from ingest.parsers.rows import Row, read_table
from ingest.parsers.safe_xml import parsed_xml
from ingest.parsers.tables import Cell, laid_out

Found = tuple[ElementKind, str]

_COMMENTS_RELATION = "/comments"
# Boxes that stand side by side are hardly ever at the very same height.
_SAME_HEIGHT = 200_000
_MARGIN = (PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER)


def read_shapes(slide: Slide, *, without: BaseShape | None) -> Iterator[Found]:
    """All but this one, the footer and the numbers in the margin."""
    left_out = None if without is None else without.shape_id
    for shape in _in_order(slide.shapes):
        if shape.shape_id != left_out and _place_of(shape) not in _MARGIN:
            yield from _read_shape(shape)
    yield from _read_parts(slide)


def is_footer(shape: BaseShape) -> bool:
    """Whether it is the line that a slide shares with others."""
    return bool(_place_of(shape) == PP_PLACEHOLDER.FOOTER)


def _place_of(shape: BaseShape) -> PP_PLACEHOLDER | None:
    return shape.placeholder_format.type if shape.is_placeholder else None


def _in_order(shapes: Iterable[BaseShape]) -> Iterator[BaseShape]:
    """From the top; what stands side by side from the left."""
    line: list[BaseShape] = []
    for shape in sorted(shapes, key=lambda each: each.top or 0):
        if line and (shape.top or 0) - (line[0].top or 0) > _SAME_HEIGHT:
            yield from sorted(line, key=lambda each: each.left or 0)
            line = []
        line.append(shape)
    yield from sorted(line, key=lambda each: each.left or 0)


def _read_shape(shape: BaseShape) -> Iterator[Found]:
    if isinstance(shape, GroupShape):
        for part in _in_order(shape.shapes):
            yield from _read_shape(part)
    elif isinstance(shape, Shape):
        kind = ElementKind.LIST_ITEM if shape.is_placeholder else ElementKind.TEXT
        yield from ((kind, text) for text in _paragraphs(shape.text_frame))
    elif isinstance(shape, GraphicFrame) and shape.has_table:
        yield from _table(_rows(shape.table))


def _paragraphs(frame: TextFrame) -> Iterator[str]:
    for paragraph in frame.paragraphs:
        if text := " ".join(paragraph.text.split()):
            yield text


def _rows(table: Table) -> list[Row]:
    """The rows; a merged cell stands where it begins, and only there."""
    return laid_out(
        (Cell("" if cell.is_spanned else " ".join(cell.text.split())) for cell in row.cells)
        for row in table.rows
    )


def _table(rows: list[Row], *, header_rows: int = 0) -> Iterator[Found]:
    for element in read_table(rows, header_rows=header_rows):
        yield element.kind, element.text


def _read_parts(slide: Slide) -> Iterator[Found]:
    """The words of diagrams and the figures of charts, which are files of their own."""
    for relation in slide.part.rels.values():
        if relation.is_external:
            continue
        if relation.reltype.endswith(DIAGRAM_RELATION):
            words = diagram_words(relation.target_part.blob)
            yield from ((ElementKind.TEXT, text) for text in words)
        elif relation.reltype.endswith(CHART_RELATION):
            words = chart_words(relation.target_part.blob)
            yield from ((ElementKind.TEXT, text) for text in words)
            yield from _table(chart_rows(relation.target_part.blob), header_rows=1)


def comments_of(slide: Slide) -> Iterator[str]:
    """What was remarked on the slide, older and newer comments alike."""
    for relation in slide.part.rels.values():
        if relation.is_external or not relation.reltype.endswith(_COMMENTS_RELATION):
            continue
        root = parsed_xml(relation.target_part.blob)
        for comment in root.iter("{*}cm", "{*}reply"):
            # Answers stand inside the comment that they answer.
            texts = comment.xpath("./*[local-name()='text' or local-name()='txBody']")
            words = " ".join(" ".join(text for part in texts for text in part.itertext()).split())
            if words:
                yield f"Comment: {words}"
