"""Word documents written part by part, for what no library writes."""

from collections.abc import Mapping

from tests.data.office_documents import packed

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
NAMES = (
    f"xmlns:w='{_WORD}' xmlns:r='{_RELATIONS}'"
    " xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'"
    " xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
    " xmlns:wps='http://schemas.microsoft.com/office/word/2010/wordprocessingShape'"
    " xmlns:wp='http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'"
    " xmlns:v='urn:schemas-microsoft-com:vml'"
)
MAIN_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def word(
    body: str, *, kind: str = MAIN_KIND, styles: str = "", parts: Mapping[str, str] | None = None
) -> bytes:
    """A document of this body; `parts` are others that it refers to, by their kind of relation."""
    others = {"styles": f"<w:styles {NAMES}>{styles}</w:styles>", **(parts or {})}
    relations = "".join(
        f"<Relationship Id='r{at}' Type='{_RELATIONS}/{name.rstrip('123')}' Target='{name}.xml'/>"
        for at, name in enumerate(others)
    )
    overrides = "".join(
        f"<Override PartName='/word/{name}.xml' ContentType='{_kind_of(name)}'/>" for name in others
    )
    return packed(
        {
            "[Content_Types].xml": f"<Types xmlns='{_PACKAGE}/content-types'>"
            "<Default Extension='rels' ContentType="
            "'application/vnd.openxmlformats-package.relationships+xml'/>"
            "<Default Extension='xml' ContentType='application/xml'/>"
            f"<Override PartName='/word/document.xml' ContentType='{kind}'/>{overrides}</Types>",
            "_rels/.rels": f"<Relationships xmlns='{_PACKAGE}/relationships'><Relationship Id='r1' "
            f"Type='{_RELATIONS}/officeDocument' Target='word/document.xml'/></Relationships>",
            "word/_rels/document.xml.rels": f"<Relationships xmlns='{_PACKAGE}/relationships'>"
            f"{relations}</Relationships>",
            "word/document.xml": f"<w:document {NAMES}><w:body>{body}</w:body></w:document>",
            **{f"word/{name}.xml": content for name, content in others.items()},
        }
    )


def paragraph(*runs: str, properties: str = "") -> str:
    """A paragraph of these runs."""
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{''.join(runs)}</w:p>"


def run(text: str, properties: str = "") -> str:
    """A run of these words."""
    form = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f"<w:r>{form}<w:t xml:space='preserve'>{text}</w:t></w:r>"


def cell(*parts: str, properties: str = "") -> str:
    """A cell of a table; a text stands for a paragraph of it."""
    inner = "".join(part if part.startswith("<") else paragraph(run(part)) for part in parts)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def table(*rows: tuple[str, ...], head: str = "") -> str:
    """A table of rows of cells; `head` is what the first row says of itself."""
    lines = "".join(
        f"<w:tr>{f'<w:trPr>{head}</w:trPr>' if head and not at else ''}{''.join(row)}</w:tr>"
        for at, row in enumerate(rows)
    )
    return f"<w:tbl>{lines}</w:tbl>"


def strict(content: Mapping[str, bytes]) -> bytes:
    """The same package with the names of the strict form."""
    schemas = b"http://schemas.openxmlformats.org/"
    return packed(
        {
            name: part.replace(
                schemas + b"officeDocument/2006/", b"http://purl.oclc.org/ooxml/officeDocument/"
            )
            .replace(
                schemas + b"wordprocessingml/2006/", b"http://purl.oclc.org/ooxml/wordprocessingml/"
            )
            .replace(schemas + b"spreadsheetml/2006/", b"http://purl.oclc.org/ooxml/spreadsheetml/")
            .replace(
                schemas + b"presentationml/2006/", b"http://purl.oclc.org/ooxml/presentationml/"
            )
            .replace(schemas + b"drawingml/2006/", b"http://purl.oclc.org/ooxml/drawingml/")
            for name, part in content.items()
        }
    )


def _kind_of(name: str) -> str:
    plain = name.rstrip("123")
    return f"application/vnd.openxmlformats-officedocument.wordprocessingml.{plain}+xml"
