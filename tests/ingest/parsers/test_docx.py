import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.document import Document
from docx.enum.section import WD_SECTION_START
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement

from ingest.domain.elements import Element, ElementKind
from ingest.domain.limits import Limits
from ingest.domain.refusals import DAMAGED
from ingest.parsers.docx import parse
from ingest.parsers.sandbox import parse_in_child
from memory.domain.errors import Permanent


def read(folder: Path, document: Document) -> list[Element]:
    path = folder / "a.docx"
    document.save(str(path))
    return [item for item in parse(path) if isinstance(item, Element)]


def pages(elements: list[Element]) -> list[tuple[str, int | None]]:
    return [(element.text, element.page) for element in elements]


def hard_break(document: Document) -> None:
    document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)


def break_inside_paragraph(document: Document) -> None:
    document.paragraphs[-1].add_run().add_break(WD_BREAK.PAGE)


def new_section(document: Document) -> None:
    document.add_section(WD_SECTION_START.NEW_PAGE)


@pytest.mark.parametrize("break_page", [hard_break, break_inside_paragraph, new_section])
def test_docx_counts_pages_that_no_word_has_rendered(
    break_page: Callable[[Document], None], tmp_path: Path
) -> None:
    document = docx.Document()
    document.add_paragraph("one")
    break_page(document)
    document.add_heading("two")

    assert pages(read(tmp_path, document)) == [("one", 1), ("two", 2)]


def test_docx_counts_pages_that_a_paragraph_or_its_style_asks_for(tmp_path: Path) -> None:
    document = docx.Document()
    document.styles["Heading 1"].paragraph_format.page_break_before = True
    document.add_paragraph("one")
    document.add_heading("two", level=1)
    document.add_paragraph("three").paragraph_format.page_break_before = True
    document.add_heading("still three", level=1).paragraph_format.page_break_before = False

    assert pages(read(tmp_path, document)) == [
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("still three", 3),
    ]


def test_docx_continuous_section_is_no_new_page(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("one")
    document.add_section(WD_SECTION_START.CONTINUOUS)
    document.add_paragraph("still one")
    hard_break(document)
    document.add_paragraph("two")

    assert pages(read(tmp_path, document)) == [("one", 1), ("still one", 1), ("two", 2)]


def test_docx_believes_marks_that_word_has_left(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("one")
    hard_break(document)
    rendered = document.add_paragraph().add_run()
    rendered._r.append(OxmlElement("w:lastRenderedPageBreak"))
    rendered.add_text("two")

    assert pages(read(tmp_path, document)) == [("one", 1), ("two", 2)]


def test_docx_without_breaks_has_no_pages(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("somewhere")

    assert pages(read(tmp_path, document)) == [("somewhere", None)]


def test_docx_nests_headings_below_the_title(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Book", level=0)
    document.add_heading("Chapter", level=1)
    document.add_heading("Part", level=2)
    document.add_paragraph("words")
    document.add_heading("Next", level=1)

    paths = [element.heading_path for element in read(tmp_path, document)]

    assert paths[-2:] == [("Book", "Chapter", "Part"), ("Book", "Next")]


def test_docx_short_paragraph_is_no_heading(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Short Words")
    document.add_paragraph("7")

    kinds = [element.kind for element in read(tmp_path, document)]

    assert kinds == [ElementKind.TEXT, ElementKind.TEXT]


def test_docx_repeated_header_is_read_once_at_the_end(tmp_path: Path) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Letterhead"
    document.add_heading("Matter", level=1)
    second = document.add_section(WD_SECTION_START.NEW_PAGE)
    second.header.is_linked_to_previous = False
    second.header.paragraphs[0].text = "Letterhead"
    document.add_paragraph("words")

    elements = read(tmp_path, document)

    assert elements[-1] == Element(ElementKind.NOTE, "Letterhead", None, ())
    assert [element.text for element in elements].count("Letterhead") == 1


@pytest.mark.parametrize("content", [b"PK\x03\x04 nothing more", b"no zip at all"])
def test_damaged_docx_says_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(content)

    with pytest.raises(Permanent, match="The file is damaged"):
        list(parse(path))


def test_docx_cut_off_in_its_text_says_so(tmp_path: Path) -> None:
    document = docx.Document()
    whole, broken = tmp_path / "whole.docx", tmp_path / "broken.docx"
    document.save(str(whole))
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, content[:200] if name == "word/document.xml" else content)

    with pytest.raises(Permanent, match="The file is damaged"):
        list(parse(broken))


CANARY = "root-of-all-secrets"
ENTITY = "<!DOCTYPE l [<!ENTITY x {}>]>"


def rewritten(tmp_path: Path, part: str, change: Callable[[bytes], bytes]) -> Path:
    """A Word document in which one part was changed after saving."""
    document = docx.Document()
    document.add_paragraph("hello words")
    whole, broken = tmp_path / "whole.docx", tmp_path / "broken.docx"
    document.save(str(whole))
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, change(content) if name == part else content)
    return broken


def declaring(declaration: str, *, used: bytes = b"hello &x; words") -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        head, _, rest = content.partition(b"?>")
        return head + b"?>" + declaration.encode() + rest.replace(b"hello words", used)

    return change


@pytest.mark.parametrize("kind", ['SYSTEM "file://{}"', '"words"', 'PUBLIC "-//x" "file://{}"'])
@pytest.mark.parametrize("used", [b"hello &x; words", b"hello words"])
def test_docx_never_reads_what_an_entity_names(tmp_path: Path, kind: str, used: bytes) -> None:
    secret = tmp_path / "secret"
    secret.write_text(CANARY)
    declaration = ENTITY.format(kind.format(secret))
    path = rewritten(tmp_path, "word/document.xml", declaring(declaration, used=used))

    if b"&x;" not in used:
        assert list(parse(path)) == [Element(ElementKind.TEXT, "hello words", None, ())]
        return
    with pytest.raises(Permanent, match=f"^{DAMAGED}$"):
        list(parse(path))


NO_BODY = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'
NUMBERED = b'<w:p><w:pPr><w:numPr><w:ilvl w:val="secret"/><w:numId w:val="1"/></w:numPr></w:pPr>'
DAMAGES: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "undefined entity": ("word/document.xml", declaring("")),
    "entity of a bare doctype": ("word/document.xml", declaring("<!DOCTYPE l>")),
    "no element": ("word/document.xml", lambda _: b""),
    "another root": ("word/document.xml", lambda _: b"<a/>"),
    "no body": ("word/document.xml", lambda _: NO_BODY),
    "styles of another kind": ("word/styles.xml", lambda _: b"<a/>"),
    "numbers that are none": ("word/document.xml", lambda each: each.replace(b"<w:p>", NUMBERED)),
    "relations cut off": ("word/_rels/document.xml.rels", lambda each: each[:100]),
    "types cut off": ("[Content_Types].xml", lambda each: each[:100]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_docx_that_no_library_foresaw_is_told_as_damaged_without_its_words(
    tmp_path: Path, damage: str
) -> None:
    path = rewritten(tmp_path, *DAMAGES[damage])

    with pytest.raises(Permanent, match=f"^{DAMAGED}$"):
        list(parse(path))


def test_docx_with_an_entity_fails_at_once_in_the_child(tmp_path: Path) -> None:
    declaration = ENTITY.format('SYSTEM "file:///etc/passwd"')
    path = rewritten(tmp_path, "word/document.xml", declaring(declaration))

    with pytest.raises(Permanent, match="The file is damaged"):
        list(parse_in_child(path, "docx", Limits()))
