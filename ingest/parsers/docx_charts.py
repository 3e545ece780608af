"""Charts and diagrams of Word documents, each as words and a table behind its paragraph."""

from collections.abc import Iterator
from typing import Any

from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from ingest.parsers.docx_tidy import new_paragraph
from ingest.parsers.drawn_parts import chart_rows, chart_words, diagram_words
from ingest.parsers.rows import Row

_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_PLACES = {_CHART: qn("r:id"), _DIAGRAM: qn("r:dm")}

# Word's elements are of classes that its library makes at run time.
_Part = Any


def place_charts(document: Document) -> None:
    """Put what charts and diagrams say behind the paragraphs that show them."""
    for drawn in list(document.element.body.iter(*_PLACES)):
        paragraph = next(drawn.iterancestors(qn("w:p")), None)
        source = document.part.related_parts.get(drawn.get(_PLACES[drawn.tag], ""))
        if paragraph is None or source is None:
            continue
        for part in reversed(list(_parts(drawn.tag, source.blob))):
            paragraph.addnext(part)


def _parts(kind: str, content: bytes) -> Iterator[_Part]:
    if kind == _DIAGRAM:
        yield from map(new_paragraph, diagram_words(content))
        return
    yield from map(new_paragraph, chart_words(content))
    if rows := chart_rows(content):
        yield _table(rows)


def _table(rows: list[Row]) -> _Part:
    table = OxmlElement("w:tbl")
    for number, row in enumerate(rows):
        line = OxmlElement("w:tr")
        if not number:
            line.append(OxmlElement("w:trPr"))
            line[0].append(OxmlElement("w:tblHeader"))
        for text in row:
            cell = OxmlElement("w:tc")
            cell.append(new_paragraph(text))
            line.append(cell)
        table.append(line)
    return table
