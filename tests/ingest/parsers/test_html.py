from pathlib import Path

import pytest

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.html import decode_html, parse
from memory.domain.errors import Permanent


def read(folder: Path, page: str) -> list[Element]:
    path = folder / "page.html"
    path.write_text(page)
    return [item for item in parse(path) if isinstance(item, Element)]


def words(folder: Path, page: str) -> list[str]:
    return [element.text for element in read(folder, page)]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<p>Grüße – 5 €".encode("cp1252"), "<p>Grüße – 5 €"),
        ("<p>Grüße – 5 €".encode(), "<p>Grüße – 5 €"),
        ("<p>Grüße".encode("utf-16"), "<p>Grüße"),
        (b"<meta charset=iso-8859-1>5 \x80", "<meta charset=iso-8859-1>5 €"),
        (b"<meta charset='koi8-r'>\xd0\xd2", "<meta charset='koi8-r'>пр"),
        ("<meta charset='us-ascii'>ß".encode("cp1252"), "<meta charset='us-ascii'>ß"),
        ("<meta charset='klingon'>ß".encode(), "<meta charset='klingon'>ß"),
        ("<meta charset='utf-8'>für".encode("cp1252"), "<meta charset='utf-8'>für"),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xcf",
            "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>П",
        ),
    ],
)
def test_decode_html_believes_mark_then_declaration_then_bytes(content: bytes, text: str) -> None:
    assert decode_html(content) == text


def test_html_drops_what_no_reader_sees_and_keeps_what_follows_it(tmp_path: Path) -> None:
    page = (
        "<body><p>before<script>no1</script> tail1<style>no2</style> tail2"
        "<span style='Display : None'>no3</span> tail3<b hidden>no4</b> tail4"
        "<span style='visibility:hidden'>no5</span> tail5</p><template>no6</template></body>"
    )

    assert words(tmp_path, page) == ["before tail1 tail2 tail3 tail4 tail5"]


def test_html_reads_beside_main_and_inside_forms_and_details(tmp_path: Path) -> None:
    page = (
        "<body><p>above</p><main><p>inside</p></main><form><p>form</p></form>"
        "<details><summary>summary</summary>more</details>"
        "<figure><figcaption>caption</figcaption></figure><p>below</p></body>"
    )

    assert words(tmp_path, page) == [
        "above", "inside", "form", "summary", "more", "caption", "below",
    ]  # fmt: skip


def test_html_keeps_single_characters(tmp_path: Path) -> None:
    assert words(tmp_path, "<dl><dt>A</dt><dd>7</dd></dl><p>口</p>") == ["A", "7", "口"]


def test_html_puts_page_title_above_headings_unless_they_repeat_it(tmp_path: Path) -> None:
    different = read(tmp_path, "<title>Site</title><h1>Page</h1><p>x</p>")
    same = read(tmp_path, "<title>Page</title><h1>Page</h1><p>x</p>")

    assert [element.heading_path for element in different] == [
        ("Site",),
        ("Site", "Page"),
        ("Site", "Page"),
    ]
    assert [element.heading_path for element in same] == [("Page",), ("Page",)]


def test_html_reads_tables_row_by_row(tmp_path: Path) -> None:
    page = (
        "<table><tr><th>A</th><th>B</th></tr><tr><td colspan=2>wide <b>cell</b></td></tr>"
        "<tr><td>1</td><td><table><tr><td>in</td><td>ner</td></tr></table></td></tr></table>"
    )

    (table,) = read(tmp_path, page)

    assert table == Element(ElementKind.TABLE, "A | B\nwide cell\n1 | in ner", None, ())


def test_html_keeps_lines_of_preformatted_text(tmp_path: Path) -> None:
    (code,) = read(tmp_path, "<pre>if a:\n    b()</pre>")

    assert (code.kind, code.text) == (ElementKind.CODE, "if a:\n    b()")


@pytest.mark.parametrize("page", ["", "   ", "<!-- only a comment -->"])
def test_html_without_anything_says_so(page: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page)

    try:
        found = list(parse(path))
    except Permanent as error:
        assert str(error) == "No text found in the file."
    else:
        assert found == []
