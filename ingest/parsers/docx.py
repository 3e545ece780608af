"""Word documents by `unstructured`, with the page breaks that it does not see made visible."""

import io
from collections.abc import Iterator
from pathlib import Path

import docx as word
from docx.exceptions import PythonDocxError
from docx.opc.exceptions import OpcError

from ingest.domain.elements import Element, ElementKind
from ingest.parsers import unstructured_setup  # noqa: F401 - must come before unstructured
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.docx_pages import mark_page_breaks
from ingest.parsers.unstructured_elements import translated

from unstructured.partition import docx as unstructured_docx  # isort: skip

# A paragraph's style says what it is; guessing by grammar costs more than all the rest, and no
# setting turns it off.
unstructured_docx._DocxPartitioner._parse_paragraph_text_for_element_type = (  # type: ignore[method-assign]
    lambda *_: None
)


def parse(path: Path) -> Iterator[Element | Pages]:
    """The headings, paragraphs, items and tables in order; headers and footers once, at the end.

    Raises: Permanent if the file is no readable Word document.
    """
    with told_as_damage(OpcError, PythonDocxError):
        marked = _with_page_breaks(path)
        elements = list(translated(unstructured_docx.partition_docx(file=marked, languages=[""])))
    yield from (element for element in elements if element.kind is not ElementKind.NOTE)
    yield from _margins(elements)


def _with_page_breaks(path: Path) -> io.BytesIO:
    document = word.Document(str(path))
    mark_page_breaks(document)
    marked = io.BytesIO()
    document.save(marked)
    marked.seek(0)
    return marked


def _margins(elements: list[Element]) -> Iterator[Element]:
    texts = (element.text for element in elements if element.kind is ElementKind.NOTE)
    for text in dict.fromkeys(texts):
        yield Element(ElementKind.NOTE, text, None, ())
