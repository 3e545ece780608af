"""Page breaks of Word documents that no Word has rendered yet."""

from docx.document import Document
from docx.enum.section import WD_SECTION_START
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.text.paragraph import CT_P
from docx.styles.style import ParagraphStyle

_RENDERED = "w:lastRenderedPageBreak"
_NEW_PAGE_STARTS = (
    WD_SECTION_START.NEW_PAGE,
    WD_SECTION_START.EVEN_PAGE,
    WD_SECTION_START.ODD_PAGE,
)


def mark_page_breaks(document: Document) -> None:
    """Mark each asked-for page break as a rendered one, unless Word has left its own marks.

    Word marks the breaks that were asked for as well, so its marks are complete.
    """
    body = document.element.body
    if body.xpath(f".//{_RENDERED}"):
        return
    for line_break in body.xpath("./w:p/w:r/w:br[@w:type='page']"):
        line_break.addnext(OxmlElement(_RENDERED))
    for paragraph in _paragraphs_on_new_pages(document):
        _mark_start(paragraph)


def _paragraphs_on_new_pages(document: Document) -> list[CT_P]:
    """The paragraphs that open a page by their own form, their style's or their section's."""
    starts = iter([section.start_type for section in document.sections][1:])
    breaking_styles = _breaking_styles(document)
    opening: list[CT_P] = []
    is_section_start = False
    for index, paragraph in enumerate(document.element.body.xpath("./w:p")):
        if index and (is_section_start or _breaks_before(paragraph, breaking_styles)):
            opening.append(paragraph)
        ends_section = bool(paragraph.xpath("./w:pPr/w:sectPr"))
        is_section_start = ends_section and next(starts, None) in _NEW_PAGE_STARTS
    return opening


def _breaking_styles(document: Document) -> set[str | None]:
    """The ids of the styles that open a page; None stands for the style of no name.

    Gathered once, because looking up one paragraph's style walks through all of them.
    """
    breaking: set[str | None] = set()
    for style in document.styles:
        if isinstance(style, ParagraphStyle) and style.paragraph_format.page_break_before:
            is_default = style.element.get(qn("w:default")) in {"1", "true"}
            breaking |= {style.style_id, None} if is_default else {style.style_id}
    return breaking


def _breaks_before(paragraph: CT_P, breaking_styles: set[str | None]) -> bool:
    own = paragraph.xpath("./w:pPr/w:pageBreakBefore")
    if not own:
        return paragraph.style in breaking_styles
    return own[0].get(qn("w:val")) not in {"0", "false", "off"}


def _mark_start(paragraph: CT_P) -> None:
    run = OxmlElement("w:r")
    run.append(OxmlElement(_RENDERED))
    properties = paragraph.find(qn("w:pPr"))
    if properties is None:
        paragraph.insert(0, run)
    else:
        properties.addnext(run)
