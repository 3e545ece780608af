import time
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
        ("<meta charset='latin-1'>Grüße".encode(), "<meta charset='latin-1'>Grüße"),
        ("<meta charset='utf-16'>Grüße".encode(), "<meta charset='utf-16'>Grüße"),
        ("<meta charset='utf-8'>Grüße".encode("utf-16-be"), "<meta charset='utf-8'>Grüße"),
        ("<meta charset='euc-jp'>電球".encode("euc-jp"), "<meta charset='euc-jp'>電球"),
        (
            "<?xml version='1.0' encoding='koi8-r'?><p>Да".encode("koi8-r"),
            "<?xml version='1.0' encoding='koi8-r'?><p>Да",
        ),
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


def test_html_leaves_out_what_its_own_styles_or_attributes_hide(tmp_path: Path) -> None:
    page = (
        "<style>/* x */ .off, div.gone {display: none} #z {visibility:hidden}"
        " @media print {.keep {display:none}} .late {display:none} .late {display:block}</style>"
        "<p class=off>no1</p><div class='big gone'>no2</div><p id=z>no3</p>"
        "<p>icon<span aria-hidden=true>no4</span></p><div style='mso-hide:all'>no5</div>"
        "<p class=keep>keep</p><p class=gone>gone is for blocks</p><p class=late>late</p>tail"
    )

    assert words(tmp_path, page) == ["icon", "keep", "gone is for blocks", "late", "tail"]


def test_html_page_that_waits_to_be_shown_is_read(tmp_path: Path) -> None:
    assert words(tmp_path, "<body style='visibility:hidden'><p>shown later</p>") == ["shown later"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<tr><th>Wor<b>ld</b><th>m<sup>2</sup><tr><td>a<br>b<td>y", "World | m2\na b | y"),
        ("<tr><th>P<th>N<tr><td rowspan=2>Nord<td>Café<tr><td>Obst", "P | N\nNord | Café\n | Obst"),
        ("<tr><th>A<th>B<th>C<tr><td>1<td><td>3", "A | B | C\n1 |  | 3"),
        ("<tr><td colspan=9999>wide<tr><td>a<td>b", "wide\na | b"),
        ("<tr><th>A<th><th>B<tr><td>1<td><td>2", "A | B\n1 | 2"),
    ],
)  # fmt: skip
def test_html_keeps_cells_in_their_columns_and_words_whole(
    page: str, text: str, tmp_path: Path
) -> None:
    assert words(tmp_path, f"<table>{page}</table>") == [text]


def test_html_table_that_lays_out_a_page_is_read_as_the_page(tmp_path: Path) -> None:
    inner = "<table><tr><th>key</th><th>gate</th></tr><tr><td>7</td><td>north</td></tr></table>"
    page = f"<table><tr><td><h1>Keys</h1><p>All of them.</p></td><td>{inner}</td></tr></table>"

    assert [(each.kind, each.text) for each in read(tmp_path, page)] == [
        (ElementKind.TITLE, "Keys"),
        (ElementKind.TEXT, "All of them."),
        (ElementKind.TABLE, "key | gate\n7 | north"),
    ]


def test_html_long_table_repeats_its_names_in_each_part(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>boat {number}<td>berth {number}" for number in range(200))

    tables = read(tmp_path, f"<table><tr><th>name<th>place{rows}</table>")

    assert len(tables) > 3
    assert all(each.text.startswith("name | place\nboat") for each in tables)


def test_html_caption_stands_above_its_table(tmp_path: Path) -> None:
    page = "<table><caption>Fees 2031</caption><tr><th>who<tr><td>all</table>"

    assert words(tmp_path, page) == ["Fees 2031", "who\nall"]


def test_html_numbers_ordered_items_as_a_browser_does(tmp_path: Path) -> None:
    page = (
        "<ol start=3><li>three<ul><li>inner</ul><li><p>four</p><li value=9>nine</ol>"
        "<ol type=a><li>first</ol>"
    )

    assert words(tmp_path, page) == ["3. three", "inner", "4. four", "9. nine", "a. first"]


def test_html_of_many_parts_in_parts_is_read(tmp_path: Path) -> None:
    assert words(tmp_path, "<div>" * 600 + "deep words") == ["deep words"]


def test_html_written_as_xml_loses_nothing_behind_an_empty_part(tmp_path: Path) -> None:
    page = (
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/>"
        "<script src='x'/></head><body><p>one</p><a id='x'/><p/><p>two</p></body></html>"
    )

    assert words(tmp_path, page) == ["one", "two"]


@pytest.mark.parametrize(
    "styles", ["{" * 200_000 + "a" * 200_000, "/*" * 200_000, "@media x {" * 90_000, "}" * 200_000]
)
def test_html_with_endless_styles_is_read_soon(styles: str, tmp_path: Path) -> None:
    started = time.process_time()

    assert words(tmp_path, f"<style>{styles}</style><p>seen") == ["seen"]
    assert time.process_time() - started < 5
