"""Word documents by `unstructured`, from a text that was brought into plain form before."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from docx.document import Document
from docx.exceptions import PythonDocxError
from docx.opc.constants import CONTENT_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.part import PartFactory
from docx.oxml.ns import qn
from docx.package import Package
from docx.parts.document import DocumentPart
from docx.table import Table
from docx.text.paragraph import Paragraph

from ingest.domain.elements import Element, ElementKind
from ingest.parsers import unstructured_setup  # noqa: F401 - must come before unstructured
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.docx_charts import place_charts
from ingest.parsers.docx_notes import is_note, place_notes
from ingest.parsers.docx_pages import mark_page_breaks
from ingest.parsers.docx_tables import ends_of_pages, header_rows, rows_of
from ingest.parsers.docx_tidy import tidy
from ingest.parsers.open_xml import opened_package
from ingest.parsers.unstructured_elements import Note, RowsTable, translated

from unstructured.documents import elements as theirs  # isort: skip
from unstructured.partition import docx as unstructured_docx  # isort: skip

_MARGINS = ("/header", "/footer")
_KINDS = "application/vnd.openxmlformats-officedocument.wordprocessingml"
# Levels from here on are of plain text.
_BODY_LEVEL = 9
_MACRO_KINDS = "application/vnd.ms-word"
# A template or a file with macros holds a text as any other.
PartFactory.part_type_for.update(
    dict.fromkeys(
        (
            f"{_KINDS}.template.main+xml",
            f"{_MACRO_KINDS}.document.macroEnabled.main+xml",
            f"{_MACRO_KINDS}.template.macroEnabledTemplate.main+xml",
            CONTENT_TYPE.WML_DOCUMENT_MAIN,
        ),
        DocumentPart,
    )
)


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items, tables and notes in order; margins once, at the end.

    Raises: Permanent if the file is no readable Word document.
    """
    with told_as_damage(OpcError, PythonDocxError):
        document = _opened(path)
        _tidy(document)
        mark_page_breaks(document)
        found = list(_Reader.iter_document_elements(_Opened(document)))
        margins = [each for each in found if isinstance(each, theirs.Header | theirs.Footer)]
        text = [each for each in found if not isinstance(each, theirs.Header | theirs.Footer)]
        elements = [*translated(text), *_once(margins)]
    yield from elements


def _opened(path: Path) -> Document:
    with opened_package(path) as file:
        part = Package.open(file).main_document_part
    if not isinstance(part, DocumentPart):
        raise TypeError(part.content_type)
    document: Document = part.document
    return document


def _tidy(document: Document) -> None:
    styles = document.styles.element
    tidy(document.element.body, styles)
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(_MARGINS):
            tidy(relation.target_part.element, styles)
    place_charts(document)
    place_notes(document)


def _level_in(part: Any) -> int | None:
    """The outline level that a paragraph or a style states itself."""
    stated = part.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
    value = "" if stated is None else stated.get(qn("w:val"), "")
    return int(value) if value.isdecimal() else None


def _once(margins: Iterable[theirs.Element]) -> Iterator[Element]:
    for text in dict.fromkeys(" ".join(str(each.text).split()) for each in margins):
        yield Element(ElementKind.NOTE, text, None, ())


class _Opened(unstructured_docx.DocxPartitionerOptions):
    """A document that is open already."""

    def __init__(self, document: Document) -> None:
        super().__init__(
            file=None, file_path=None, include_page_breaks=True, infer_table_structure=False
        )
        self._opened = document

    @cached_property
    def document(self) -> Document:
        return self._opened


class _Reader(unstructured_docx._DocxPartitioner):
    """Knows headings by their outline level too, and tables by their rows."""

    def __init__(self, opts: unstructured_docx.DocxPartitionerOptions) -> None:
        super().__init__(opts)
        self._levels: dict[str | None, int | None] = {}

    def _classify_paragraph_to_element(
        self, paragraph: Paragraph, label: str = ""
    ) -> Iterator[theirs.Element]:
        if is_note(paragraph._p):
            number = self._opts.metadata_page_number
            yield Note(paragraph.text, metadata=theirs.ElementMetadata(page_number=number))
        else:
            yield from super()._classify_paragraph_to_element(paragraph, label)

    def _parse_paragraph_text_for_element_type(self, _: Paragraph) -> type[theirs.Text] | None:
        # A paragraph's style says what it is; guessing by grammar costs more than all the rest.
        return None

    def _style_based_element_type(self, paragraph: Paragraph) -> type[theirs.Text] | None:
        known = super()._style_based_element_type(paragraph)
        is_heading = known is None and self._outline_level(paragraph) is not None
        return theirs.Title if is_heading else known

    def _parse_category_depth_by_style(self, paragraph: Paragraph) -> int:
        named = super()._parse_category_depth_by_style(paragraph)
        return named or self._outline_level(paragraph) or 0

    def _has_outline_level(self, paragraph: Paragraph) -> bool:
        return self._outline_level(paragraph) is not None

    def _outline_level(self, paragraph: Paragraph) -> int | None:
        """The level that the paragraph or the nearest of its styles states; None for no heading."""
        if (own := _level_in(paragraph._p)) is not None:
            return own if own < _BODY_LEVEL else None
        key = paragraph._p.style
        if key not in self._levels:
            style = self._list_labels.style_of(paragraph)
            level, walked = None, set[str]()
            while style is not None and level is None and style.style_id not in walked:
                walked.add(style.style_id)
                level = _level_in(style.element)
                style = getattr(style, "base_style", None)
            self._levels[key] = None if level is None or level >= _BODY_LEVEL else level
        return self._levels[key]

    def _paragraph_link_meta(self, _: Paragraph) -> tuple[list[str], list[str], list[theirs.Link]]:
        return [], [], []

    def _paragraph_emphasis(self, _: Paragraph) -> tuple[list[str], list[str]]:
        return [], []

    def _iter_table_element(self, table: Table) -> Iterator[theirs.Table]:
        rows = rows_of(table._tbl, lambda part: self._words(Paragraph(part, table)))
        number = self._opts.metadata_page_number
        yield RowsTable(rows, header_rows=header_rows(table._tbl), page=number)
        for _ in range(ends_of_pages(table._tbl)):
            yield from self._opts.increment_page_number()  # type: ignore[misc] # page marks

    def _words(self, paragraph: Paragraph) -> str:
        """What a paragraph in a cell says, with its number in a list."""
        return f"{self._list_labels.label(paragraph)} {paragraph.text}"
