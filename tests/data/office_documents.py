"""Sample slides, sheets, open texts, e-books and Outlook messages, the same bytes each time."""

import datetime
import io
import re
import zipfile
from collections.abc import Iterable, Mapping

import openpyxl
import pptx
from openpyxl.styles import Font
from pptx.util import Cm

from tests.data.compound_file import message

WRITTEN_AT = datetime.datetime(2031, 3, 4, 9, 30, tzinfo=datetime.UTC)
_OPEN_NAMES = {
    "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing",
    "presentation": "presentation",
}  # fmt: skip
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_WRITTEN = rb"\g<1>2031-03-04T09:30:00Z"
_TITLE_ONLY, _TITLE_AND_TEXT, _BLANK = 5, 1, 6


def plain_pptx() -> bytes:
    """Two slides of a title and items, the second with notes."""
    deck = pptx.Presentation()
    for title, items in (
        ("Lighthouse tour", ["Meet at the north gate at ten", "Bring a warm coat"]),
        ("Tickets", ["Children under six pay nothing"]),
    ):
        slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_AND_TEXT])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(items)
    slide.notes_slide.notes_text_frame.text = "Ask Odile Farr for the group price."
    return _saved_deck(deck)


def awkward_pptx() -> bytes:
    """Merged cells, a group, and a slide without a title that says little."""
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY])
    slide.shapes.title.text = "Kürbisernte"
    table = slide.shapes.add_table(2, 2, Cm(2), Cm(5), Cm(10), Cm(3)).table
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(0, 0).text = "FIELDS OF THE WEEK"
    table.cell(1, 0).text, table.cell(1, 1).text = "Nordfeld", "Tuesday"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Cm(2), Cm(9), Cm(5), Cm(1)).text_frame.text = "grouped words"
    slide = deck.slides.add_slide(deck.slide_layouts[_BLANK])
    for top, text in ((8, "second line"), (3, "first line\vwith a break")):
        slide.shapes.add_textbox(Cm(2), Cm(top), Cm(9), Cm(1)).text_frame.text = text
    return _saved_deck(deck)


def plain_xlsx() -> bytes:
    """Two sheets with a row of names each."""
    book = openpyxl.Workbook()
    book.active.title = "Boats"
    for row in (("name", "berth", "length"), ("Sorrel", 4, 11.5), ("Teasel", 9, 8)):
        book.active.append(row)
    people = book.create_sheet("Crew")
    for row in (("person", "boat"), ("Henrike Solano", "Sorrel")):
        people.append(row)
    return _saved_book(book)


def awkward_xlsx() -> bytes:
    """Title lines, merged cells, formats, words that look empty, and a sheet of nothing."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Prüfung"
    sheet["B2"] = "Kühlräume 2031"
    sheet["B2"].font = Font(bold=True)
    sheet.merge_cells("B2:E2")
    for row in (
        ("Raum", "Status", "Anteil", "geprüft"),
        ("Nord", "NA", 0.074, datetime.date(2031, 5, 14)),
        ("Süd", None, 1, WRITTEN_AT.replace(tzinfo=None)),
        ("West", "NULL", 0.5, True),
    ):
        sheet.append((None, *row))
    for cell in sheet["D"]:
        cell.number_format = "0.0%"
    sheet["B9"], sheet["C9"], sheet["D9"] = "Summe", 1234567, "nan bread"
    sheet["C9"].number_format = '#,##0.00 "€"'
    book.create_sheet("Leer")
    return _saved_book(book)


def plain_odt() -> bytes:
    """Two headings, a paragraph, items and a table."""
    return open_text(
        "<text:h text:outline-level='1'>Mill diary</text:h>"
        "<text:p>The wheel was greased on the second of April.</text:p>"
        "<text:h text:outline-level='2'>Sacks</text:h>"
        "<text:list><text:list-item><text:p>forty of rye</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Grain</text:p></table:table-cell>"
        "<table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row>"
        "<table:table-row><table:table-cell><text:p>Oats</text:p></table:table-cell>"
        "<table:table-cell><text:p>31 crowns</text:p></table:table-cell></table:table-row>"
        "</table:table>"
    )


def awkward_odt() -> bytes:
    """Spaces and tabs as elements, a note inside a sentence, a deleted passage."""
    return open_text(
        "<text:tracked-changes><text:changed-region text:id='c1'><text:deletion>"
        "<text:p>struck-out words</text:p></text:deletion></text:changed-region>"
        "</text:tracked-changes>"
        "<text:p>Die Schleuse<text:s/>öffnet<text:tab/>um sieben<text:note text:note-class="
        "'footnote'><text:note-citation>1</text:note-citation><text:note-body><text:p>Im Winter um "
        "acht.</text:p></text:note-body></text:note> bei jedem Wetter.</text:p>"
    )


def plain_ods() -> bytes:
    """Two sheets with a row of names each."""
    boats = (("name", "berth"), ("Sorrel", "4"), ("Teasel", "9"))
    crew = (("person", "boat"), ("Henrike Solano", "Sorrel"))
    return open_document("spreadsheet", open_sheet("Boats", boats) + open_sheet("Crew", crew))


def awkward_ods() -> bytes:
    """A shown amount that differs from its value, a merged title, a hidden sheet, endless rest."""
    rest = (
        "<table:table-row table:number-rows-repeated='1048000'>"
        "<table:table-cell table:number-columns-repeated='16384'/></table:table-row>"
    )
    title = (
        "<table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>Kühlräume 2031"
        "</text:p></table:table-cell><table:covered-table-cell/></table:table-row>"
    )
    amounts = (("Raum", "Kosten"), ("Nord", "1.275,00 €"), ("Süd", "NA"))
    sheet = open_sheet("Prüfung", amounts).replace("<table:table-row>", title, 1)
    sheet = sheet.replace(title, title + "<table:table-row>", 1)
    sheet = sheet.replace("</table:table>", rest + "</table:table>")
    hidden = open_sheet("Alt", (("Raum", "Kosten"), ("West", "310,00 €")), style="unseen")
    styles = (
        "<style:style style:name='unseen' style:family='table'>"
        "<style:table-properties table:display='false'/></style:style>"
    )
    return open_document("spreadsheet", sheet + hidden, styles=styles)


def open_sheet(name: str, rows: Iterable[Iterable[str]], *, style: str = "") -> str:
    """A sheet of an OpenDocument workbook, as XML."""
    lines = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in rows
    )
    named = f"table:name='{name}' table:style-name='{style}'"
    return f"<table:table {named}>{lines}</table:table>"


def plain_odp() -> bytes:
    """Two slides of a title and items, the second with notes."""
    tour = open_slide("Lighthouse tour", ["Meet at the north gate at ten", "Bring a warm coat"])
    tickets = open_slide(
        "Tickets", ["Children under six pay nothing"], notes="Ask Odile Farr for the group price."
    )
    return open_document("presentation", tour + tickets)


def awkward_odp() -> bytes:
    """A slide without a title, a table, a group, and margins that are the same on each slide."""
    table = (
        "<draw:g><draw:frame><table:table><table:table-row><table:table-cell><text:p>Nordfeld"
        "</text:p></table:table-cell><table:table-cell><text:p>Tuesday</text:p>"
        "</table:table-cell></table:table-row></table:table></draw:frame></draw:g>"
        "<draw:frame presentation:class='footer'><draw:text-box><text:p>Confidential</text:p>"
        "</draw:text-box></draw:frame>"
        "<draw:custom-shape><text:p>grouped<text:line-break/>words</text:p></draw:custom-shape>"
    )
    return open_document("presentation", f"<draw:page>{table}</draw:page>")


def open_slide(title: str, items: Iterable[str], *, notes: str = "") -> str:
    """A slide of an OpenDocument presentation, as XML."""
    listed = "".join(f"<text:list-item><text:p>{item}</text:p></text:list-item>" for item in items)
    said = (
        "<presentation:notes><draw:page-thumbnail presentation:class='page'/>"
        "<draw:frame presentation:class='notes'><draw:text-box>"
        f"<text:p>{notes}</text:p></draw:text-box></draw:frame></presentation:notes>"
    )
    return (
        "<draw:page><draw:frame presentation:class='title'><draw:text-box>"
        f"<text:p>{title}</text:p></draw:text-box></draw:frame>"
        "<draw:frame presentation:class='outline'><draw:text-box>"
        f"<text:list>{listed}</text:list></draw:text-box></draw:frame>{said if notes else ''}"
        "</draw:page>"
    )


def plain_epub() -> bytes:
    """A book of two chapters."""
    return _book(
        {
            "one.xhtml": "<h1>The ferry</h1><p>Ilse rowed across before the bell rang.</p>",
            "two.xhtml": "<h1>The island</h1><p>Nobody had mended the jetty.</p>",
        }
    )


def awkward_epub() -> bytes:
    """A chapter that runs over two parts, a picture only, and a part that was never packed."""
    return _book(
        {
            "cover.xhtml": "<img src='cover.jpg' alt=''/>",
            "text/eins%20a.xhtml": "<h1>Gezeiten</h1><p>Die Flut kam um 06:12.</p>",
            "text/eins b.xhtml": "<p>Erst die Ebbe gab den Weg frei.</p>",
        },
        extra_items=("missing.xhtml",),
    )


def plain_msg() -> bytes:
    """A message of plain words with an attachment."""
    return message(
        {0x0037: "Crane inspection", 0x0C1A: "Ada Lunt", 0x0C1F: "ada@example.org",
         0x1000: "The crane on pier two is closed on Thursday.\r\n\r\nAda"},
        sent_at=WRITTEN_AT,
        recipients=(("Bram Okoye", "bram@example.org"),),
        attachments=("plan.pdf",),
    )  # fmt: skip


def awkward_msg() -> bytes:
    """A message that is a page only, in an old encoding, without subject and sender."""
    page = (
        "<style>p{color:red}</style><p>Die T\xfcr zum K\xfchlraum klemmt &ndash; bitte \xf6len.</p>"
    )
    return message(
        {0x007D: "To: werkstatt@example.org\r\nCc: lager@example.org"}, html=page.encode("cp1252")
    )


def open_text(body: str, *, styles: str = "", margins: str = "") -> bytes:
    """An OpenDocument text of this body, with these styles of its own and these margins."""
    return open_document("text", body, styles=styles, margins=margins)


def open_document(kind: str, body: str, *, styles: str = "", margins: str = "") -> bytes:
    """The same for any kind: text, spreadsheet or presentation."""
    names = "".join(
        f" xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{space}:1.0'"
        for name, space in _OPEN_NAMES.items()
    )
    content = (
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    )
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:content{names}>{content}</office:content>",
            "styles.xml": f"<office:styles{names}>{margins}</office:styles>",
        }
    )


def _book(pages: Mapping[str, str], extra_items: tuple[str, ...] = ()) -> bytes:
    names = [*pages, *extra_items]
    items = "".join(f"<item id='i{at}' href='{name}'/>" for at, name in enumerate(names))
    order = "".join(f"<itemref idref='i{at}'/>" for at in range(len(names)))
    package = (
        "<package xmlns='http://www.idpf.org/2007/opf' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        "<metadata><dc:title>Across the water</dc:title><dc:creator>Ruth Amaru</dc:creator>"
        f"</metadata><manifest>{items}</manifest><spine>{order}</spine></package>"
    )
    container = (
        "<container><rootfiles><rootfile full-path='book/content.opf'/></rootfiles></container>"
    )
    chapters = {
        f"book/{name.replace('%20', ' ')}": f"<html><title>x</title><body>{page}</body></html>"
        for name, page in pages.items()
    }
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "book/content.opf": package,
            **chapters,
        }
    )


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip of these parts, the same each time."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as container:
        for name, content in parts.items():
            part = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            way = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            container.writestr(part, content, way)
    return target.getvalue()


def repacked(written: io.BytesIO) -> bytes:
    """The same container without the times at which it and its parts were written."""
    with zipfile.ZipFile(written) as source:
        parts = {part.filename: source.read(part) for part in source.infolist()}
    core = parts["docProps/core.xml"]
    return packed(parts | {"docProps/core.xml": _MODIFIED.sub(_WRITTEN, core)})


def _saved_deck(deck: "pptx.presentation.Presentation") -> bytes:
    deck.core_properties.created = WRITTEN_AT
    written = io.BytesIO()
    deck.save(written)
    return repacked(written)


def _saved_book(book: openpyxl.Workbook) -> bytes:
    book.properties.created = WRITTEN_AT.replace(tzinfo=None)
    written = io.BytesIO()
    book.save(written)
    return repacked(written)
