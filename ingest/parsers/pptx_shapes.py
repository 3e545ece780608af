"""What stands on a slide: texts, tables, charts and diagrams, from the top left."""

from collections.abc import Iterable, Iterator

import lxml.etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.table import Table
from pptx.text.text import TextFrame

from ingest.domain.elements import ElementKind
from ingest.parsers.safe_xml import parsed_xml

Found = tuple[ElementKind, str]

_SEPARATOR = " | "
_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_CHART_RELATION = "/chart"
_DIAGRAM_RELATION = "/diagramData"
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


def _in_order(shapes: Iterable[BaseShape]) -> list[BaseShape]:
    return sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0))


def _read_shape(shape: BaseShape) -> Iterator[Found]:
    if isinstance(shape, GroupShape):
        for part in _in_order(shape.shapes):
            yield from _read_shape(part)
    elif isinstance(shape, Shape):
        kind = ElementKind.LIST_ITEM if shape.is_placeholder else ElementKind.TEXT
        yield from ((kind, text) for text in _paragraphs(shape.text_frame))
    elif isinstance(shape, GraphicFrame) and shape.has_table:
        yield ElementKind.TABLE, _table(shape.table)


def _paragraphs(frame: TextFrame) -> Iterator[str]:
    for paragraph in frame.paragraphs:
        if text := " ".join(paragraph.text.split()):
            yield text


def _table(table: Table) -> str:
    """One row a line; a merged cell stands where it begins, and only there."""
    rows = (
        [" ".join(cell.text.split()) for cell in row.cells if not cell.is_spanned]
        for row in table.rows
    )
    return "\n".join(_SEPARATOR.join(filter(None, row)) for row in rows if any(row))


def _read_parts(slide: Slide) -> Iterator[Found]:
    """The words of diagrams and the figures of charts, which are files of their own."""
    for relation in slide.part.rels.values():
        if relation.is_external:
            continue
        if relation.reltype.endswith(_DIAGRAM_RELATION):
            root = parsed_xml(relation.target_part.blob)
            for paragraph in root.iter(f"{_MAIN}p"):
                yield ElementKind.TEXT, _words(paragraph)
        elif relation.reltype.endswith(_CHART_RELATION):
            root = parsed_xml(relation.target_part.blob)
            yield from ((ElementKind.TEXT, _words(each)) for each in root.iter(f"{_MAIN}p"))
            yield ElementKind.TABLE, "\n".join(map(_series, root.iter(f"{_CHART}ser")))


def _words(paragraph: lxml.etree._Element) -> str:
    return "".join(str(run.text or "") for run in paragraph.iter(f"{_MAIN}t"))


def _series(series: lxml.etree._Element) -> str:
    """A row of a chart: its name, then each figure with the category it stands for."""
    name, categories, values = (
        [str(point.text or "") for point in series.iterfind(f"{_CHART}{part}//{_CHART}v")]
        for part in ("tx", "cat", "val")
    )
    labels = categories if len(categories) == len(values) else [""] * len(values)
    figures = (
        f"{label}: {value}".removeprefix(": ") for label, value in zip(labels, values, strict=True)
    )
    return _SEPARATOR.join([*name, *figures])
