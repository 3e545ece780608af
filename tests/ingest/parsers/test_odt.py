from pathlib import Path

import pytest

from memory.domain.errors import Permanent
from tests.data.office_documents import open_text, packed, plain_odt
from tests.ingest.parsers.reading import elements
from tests.ingest.parsers.test_xlsx import unpacked


def read(folder: Path, body: str, **parts: str) -> list[tuple[str, tuple[str, ...], str]]:
    items = elements(folder / "a", open_text(body, **parts), "odt")
    return [(each.kind.value, each.heading_path, each.text) for each in items if each.text]


def test_title_and_headings_hold_for_what_follows(tmp_path: Path) -> None:
    body = (
        "<text:p text:style-name='Title'>Mill</text:p><text:h text:outline-level='1'>Wheel</text:h>"
        "<text:p>It turns.</text:p><text:h text:outline-level='2'>Axle</text:h>"
        "<text:section><text:p>It creaks.</text:p></text:section>"
    )

    assert read(tmp_path, body) == [
        ("title", ("Mill",), "Mill"),
        ("title", ("Mill", "Wheel"), "Wheel"),
        ("text", ("Mill", "Wheel"), "It turns."),
        ("title", ("Mill", "Wheel", "Axle"), "Axle"),
        ("text", ("Mill", "Wheel", "Axle"), "It creaks."),
    ]


def test_style_made_from_the_title_style_makes_a_title(tmp_path: Path) -> None:
    body = "<text:p text:style-name='P1'>Mill</text:p>"
    styles = "<style:style style:name='P1' style:parent-style-name='Title'/>"

    assert read(tmp_path, body, styles=styles) == [("title", ("Mill",), "Mill")]


def test_notes_and_boxes_stand_behind_their_sentence(tmp_path: Path) -> None:
    body = (
        "<text:p>Open<text:s/>at<text:note text:note-class='footnote'>"
        "<text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>Not in winter.</text:p></text:note-body></text:note> <text:span>"
        "seven</text:span><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box>"
        "</draw:frame><office:annotation>"
        "<dc:creator xmlns:dc='http://purl.org/dc/elements/1.1/'>Ada Lunt</dc:creator>"
        "<text:p>remark</text:p></office:annotation>.</text:p>"
    )

    assert [(kind, text) for kind, _, text in read(tmp_path, body)] == [
        ("text", "Open at seven."),
        ("note", "Footnote: Not in winter."),
        ("text", "boxed"),
        ("note", "Comment by Ada Lunt: remark"),
    ]


def test_items_keep_their_kind_and_deleted_words_and_contents_are_left_out(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:p>struck</text:p></text:tracked-changes>"
        "<text:table-of-content><text:p>Wheel 7</text:p></text:table-of-content>"
        "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner"
        "</text:p></text:list-item></text:list></text:list-item></text:list><text:p>after</text:p>"
    )

    assert [(kind, text) for kind, _, text in read(tmp_path, body)] == [
        ("list_item", "one"), ("list_item", "inner"), ("text", "after"),
    ]  # fmt: skip


def test_table_is_read_row_by_row_with_inner_tables_in_their_cell(tmp_path: Path) -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>".format
    inner = (
        f"<table:table><table:table-row>{cell('in')}{cell('ner')}</table:table-row></table:table>"
    )
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        f"{cell('wide')}<table:covered-table-cell/></table:table-row></table:table-header-rows>"
        f"<table:table-row>{cell('one')}<table:table-cell>{inner}</table:table-cell>"
        "</table:table-row></table:table>"
    )

    assert read(tmp_path, body) == [("table", (), "wide\none | in ner")]


def test_margins_are_read_once_at_the_end_without_page_numbers(tmp_path: Path) -> None:
    line = "<text:p>Mill office <text:page-number>3</text:page-number></text:p>"
    footer = f"<style:footer>{line}</style:footer>"

    items = read(tmp_path, "<text:p>words</text:p>", margins=footer * 2)

    assert items == [("text", (), "words"), ("note", (), "Mill office")]


def test_locked_text_is_refused_with_the_remedy(tmp_path: Path) -> None:
    parts: dict[str, str | bytes] = {**unpacked(plain_odt())}
    parts["META-INF/manifest.xml"] = "<manifest:encryption-data/>"

    with pytest.raises(Permanent, match="protected by a password"):
        elements(tmp_path / "a", packed(parts), "odt")


def test_hidden_words_paragraphs_and_sections_are_left_out(tmp_path: Path) -> None:
    styles = (
        "<style:style style:name='T1'><style:text-properties text:display='none'/></style:style>"
    )
    body = (
        "<text:p>seen <text:span text:style-name='T1'>no1</text:span>words</text:p>"
        "<text:section text:display='none'><text:p>no2</text:p></text:section>"
        "<text:p><text:hidden-paragraph text:is-hidden='true'/>no3</text:p>"
        "<text:p>a<text:hidden-text text:is-hidden='true'>no4</text:hidden-text>b</text:p>"
    )

    found = [text for *_, text in read(tmp_path, body, styles=styles)]

    assert found == ["seen words", "ab"]


def test_drawings_in_a_sentence_stand_behind_it_and_their_descriptions_do_not(
    tmp_path: Path,
) -> None:
    body = (
        "<text:p>Mind<draw:custom-shape><text:p>the step</text:p></draw:custom-shape> out"
        "<draw:frame><draw:image/><svg:desc xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:"
        "svg-compatible:1.0'>a stair</svg:desc></draw:frame>.</text:p>"
    )

    assert [text for *_, text in read(tmp_path, body)] == ["Mind out.", "the step"]


def test_merged_and_empty_cells_keep_the_others_in_their_columns(tmp_path: Path) -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>".format
    covered = "<table:covered-table-cell/>"
    rows = (
        (cell("ward"), cell("early"), cell("late")),
        (cell("Cedar"), cell("Ilse"), cell("Bram")),
        (covered, cell(""), cell("Noor")),
    )
    lines = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)

    found = [text for *_, text in read(tmp_path, f"<table:table>{lines}</table:table>")]

    assert found == ["ward | early | late\nCedar | Ilse | Bram\n |  | Noor"]
