"""What Word shows beside plain paragraphs: changes, boxes, notes, fields, controls, equations."""

import time
from pathlib import Path

import pytest

from tests.data.word_documents import MAIN_KIND, NAMES, cell, paragraph, run, strict, table, word
from tests.ingest.parsers.reading import elements
from tests.ingest.parsers.test_xlsx import unpacked

BOX = (
    "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor><wps:wsp>"
    "<wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx></wps:wsp></wp:anchor></w:drawing>"
    "</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>{0}</w:txbxContent>"
    "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)


def read(folder: Path, body: str, **parts: str) -> list[tuple[str, str]]:
    found = elements(folder / "a", word(body, parts=parts), "docx")
    return [(each.kind.value, each.text) for each in found if each.text]


def words(folder: Path, body: str, **parts: str) -> list[str]:
    return [text for _, text in read(folder, body, **parts)]


def field(code: str, result: str) -> str:
    return (
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r>"
        f"<w:r><w:instrText> {code} </w:instrText></w:r>"
        f"<w:r><w:fldChar w:fldCharType='separate'/></w:r>{run(result)}"
        "<w:r><w:fldChar w:fldCharType='end'/></w:r>"
    )


def test_inserted_words_are_kept_deleted_ones_dropped_and_moved_ones_read_once(
    tmp_path: Path,
) -> None:
    body = (
        paragraph(
            run("The pump costs "),
            f"<w:del>{run('300').replace('w:t', 'w:delText')}</w:del>",
            f"<w:ins>{run('420')}</w:ins>",
            run(" crowns."),
        )
        + paragraph(f"<w:moveFrom>{run('Moved line.')}</w:moveFrom>")
        + paragraph(f"<w:moveTo>{run('Moved line.')}</w:moveTo>")
    )

    assert words(tmp_path, body) == ["The pump costs 420 crowns.", "Moved line."]


def test_paragraphs_whose_border_was_deleted_are_one(tmp_path: Path) -> None:
    body = paragraph(run("one "), properties="<w:rPr><w:del/></w:rPr>") + paragraph(run("line"))

    assert words(tmp_path, body) == ["one line"]


def test_deleted_row_of_a_table_is_left_out_and_an_inserted_one_read(tmp_path: Path) -> None:
    rows = table((cell("gate"), cell("key")), (cell("old"), cell("1")), (cell("new"), cell("2")))
    first, second, third = rows.split("<w:tr>")[1:]
    body = (
        f"<w:tbl><w:tr>{first}<w:tr><w:trPr><w:del/></w:trPr>{second}"
        f"<w:tr><w:trPr><w:ins/></w:trPr>{third}"
    )

    assert words(tmp_path, body) == ["gate | key\nnew | 2"]


def test_text_box_is_read_once_after_its_paragraph(tmp_path: Path) -> None:
    box = BOX.format(paragraph(run("Mind the step.")) + table((cell("a"), cell("b"))))

    assert read(tmp_path, paragraph(run("Hall"), box) + paragraph(run("Next"))) == [
        ("text", "Hall"), ("text", "Mind the step."), ("table", "a | b"), ("text", "Next"),
    ]  # fmt: skip


def test_notes_and_comments_stand_behind_their_paragraph_with_a_label(tmp_path: Path) -> None:
    body = (
        paragraph(run("It opens at seven"), "<w:r><w:footnoteReference w:id='2'/></w:r>", run("."))
        + table((cell(paragraph(run("gate"), "<w:r><w:commentReference w:id='5'/></w:r>")),))
        + paragraph(run("End"), "<w:r><w:endnoteReference w:id='3'/></w:r>")
    )
    note = "<w:{0} w:id='{1}' {2}>{3}</w:{0}>".format
    remark = note("comment", 5, "w:author='Ada Lunt'", paragraph(run("Which one?")))

    found = read(
        tmp_path,
        body,
        footnotes=f"<w:footnotes {NAMES}>{note('footnote', 2, '', paragraph(run('Not in May.')))}"
        "</w:footnotes>",
        endnotes=f"<w:endnotes {NAMES}>{note('endnote', 3, '', paragraph(run('See page 4.')))}"
        "</w:endnotes>",
        comments=f"<w:comments {NAMES}>{remark}</w:comments>",
    )

    assert found == [
        ("text", "It opens at seven."),
        ("note", "Footnote: Not in May."),
        ("table", "gate"),
        ("note", "Comment by Ada Lunt: Which one?"),
        ("text", "End"),
        ("note", "Endnote: See page 4."),
    ]


def test_content_controls_are_read_and_their_prompts_are_not(tmp_path: Path) -> None:
    control = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>".format
    body = (
        paragraph(run("Name: "), control("", run("Odile Farr")))
        + control("", paragraph(run("A block.")))
        + control("<w:showingPlcHdr/>", paragraph(run("Click here to enter text.")))
        + table((control("", cell("in a cell")), cell("beside")))
    )

    assert words(tmp_path, body) == ["Name: Odile Farr", "A block.", "in a cell | beside"]


def test_table_of_contents_is_left_out_by_its_gallery_and_by_its_styles(tmp_path: Path) -> None:
    gallery = "<w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj>"
    styled = paragraph(run("Pumps 7"), properties="<w:pStyle w:val='Verzeichnis1'/>")
    body = (
        f"<w:sdt><w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{paragraph(run('Valves 3'))}"
        f"</w:sdtContent></w:sdt>{styled}{paragraph(run('Words.'))}"
    )
    styles = (
        "<w:style w:type='paragraph' w:styleId='Verzeichnis1'><w:name w:val='toc 1'/></w:style>"
    )

    found = elements(tmp_path / "a", word(body, styles=styles), "docx")

    assert [each.text for each in found] == ["Words."]


def test_fields_show_their_result_and_links_their_words(tmp_path: Path) -> None:
    body = (
        paragraph(run("Due on "), field("DATE", "3 May 2031"))
        + paragraph("<w:fldSimple w:instr='AUTHOR'>" + run("Ruth Amaru") + "</w:fldSimple>")
        + paragraph(run("See "), f"<w:hyperlink w:anchor='x'>{run('the plan')}</w:hyperlink>")
        + paragraph(f"<w:smartTag>{run('Aarhus')}</w:smartTag>")
    )

    assert words(tmp_path, body) == ["Due on 3 May 2031", "Ruth Amaru", "See the plan", "Aarhus"]


def test_page_numbers_of_margins_are_left_out_and_what_stands_beside_them_is_not(
    tmp_path: Path,
) -> None:
    section = (
        "<w:sectPr><w:headerReference w:type='default' r:id='r1'/>"
        "<w:footerReference w:type='default' r:id='r2'/></w:sectPr>"
    )
    numbers = paragraph(run("Page "), field("PAGE", "3"), run(" of "), field("NUMPAGES", "7"))
    named = paragraph(run("Harbor office, confidential, "), field("PAGE", "3"))

    found = read(
        tmp_path,
        paragraph(run("Words.")) + section,
        header=f"<w:hdr {NAMES}>{named}</w:hdr>",
        footer=f"<w:ftr {NAMES}>{numbers}</w:ftr>",
    )

    assert found == [("text", "Words."), ("note", "Harbor office, confidential,")]


def test_hidden_words_are_left_out(tmp_path: Path) -> None:
    body = paragraph(
        run("seen"), run(" unseen", "<w:vanish/>"), run(" too", "<w:vanish w:val='0'/>")
    )

    assert words(tmp_path, body) == ["seen too"]


def test_symbols_and_readings_are_spelled_out(tmp_path: Path) -> None:
    body = paragraph(
        "<w:r><w:sym w:font='Wingdings' w:char='F0FE'/></w:r>",
        run(" paid, "),
        "<w:r><w:sym w:font='Symbol' w:char='F061'/></w:r>",
        run(" = "),
        "<w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r>"
        "</w:rubyBase></w:ruby></w:r>",
    )

    assert words(tmp_path, body) == ["☑ paid, α = 漢"]


MATH_RUN = "<m:r><m:t>{}</m:t></m:r>".format
SUM = (
    f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{MATH_RUN('i')}</m:sub>"
    f"<m:sup>{MATH_RUN('n')}</m:sup><m:e>{MATH_RUN('k')}</m:e></m:nary>"
)


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        (MATH_RUN("E=m") + f"<m:sSup><m:e>{MATH_RUN('c')}</m:e><m:sup>{MATH_RUN('2')}</m:sup>"
         "</m:sSup>", "E=mc^2"),
        (f"<m:f><m:num>{MATH_RUN('a+b')}</m:num><m:den>{MATH_RUN('c')}</m:den></m:f>", "(a+b)/c"),
        (f"<m:rad><m:deg/><m:e>{MATH_RUN('x')}</m:e></m:rad>", "√x"),
        (SUM, "∑_i^n k"),
        (f"<m:d><m:e>{MATH_RUN('x')}</m:e></m:d>", "(x)"),
    ],
)  # fmt: skip
def test_equation_is_written_in_one_line(equation: str, text: str, tmp_path: Path) -> None:
    body = paragraph(run("So"), f"<m:oMath>{equation}</m:oMath>", run("holds."))

    assert words(tmp_path, body) == [f"So {text} holds."]


def test_heading_by_its_outline_level_opens_a_section(tmp_path: Path) -> None:
    styles = (
        "<w:style w:type='paragraph' w:styleId='Kopf'><w:name w:val='Kopfzeile A'/>"
        "<w:pPr><w:outlineLvl w:val='1'/></w:pPr></w:style>"
    )
    body = (
        paragraph(run("Pumps"), properties="<w:outlineLvl w:val='0'/>")
        + paragraph(run("Oil"), properties="<w:pStyle w:val='Kopf'/>")
        + paragraph(run("Change it."))
    )

    found = elements(tmp_path / "a", word(body, styles=styles), "docx")

    assert [each.heading_path for each in found] == [
        ("Pumps",), ("Pumps", "Oil"), ("Pumps", "Oil"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "kind",
    [
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    ],
)
def test_template_and_file_with_macros_are_read(kind: str, tmp_path: Path) -> None:
    content = word(paragraph(run("Words.")), kind=kind)

    assert kind != MAIN_KIND
    assert [each.text for each in elements(tmp_path / "a", content, "docx")] == ["Words."]


def test_strict_document_is_read(tmp_path: Path) -> None:
    content = strict(unpacked(word(paragraph(run("Strict words.")))))

    assert b"purl.oclc.org" in unpacked(content)["word/document.xml"]
    assert [each.text for each in elements(tmp_path / "a", content, "docx")] == ["Strict words."]


def test_styles_that_are_made_from_each_other_do_no_harm(tmp_path: Path) -> None:
    style = (
        "<w:style w:type='paragraph' w:styleId='{0}'><w:name w:val='{0}'/>"
        "<w:basedOn w:val='{1}'/></w:style>"
    ).format
    styles = style("A", "B") + style("B", "A")
    body = paragraph(run("Words."), properties="<w:pStyle w:val='A'/>")

    found = elements(tmp_path / "a", word(body, styles=styles), "docx")

    assert [(each.kind.value, each.text) for each in found] == [("text", "Words.")]


def test_rows_over_several_pages_move_what_follows_to_its_page(tmp_path: Path) -> None:
    mark = "<w:r><w:lastRenderedPageBreak/></w:r>"
    body = (
        paragraph(run("Before."))
        + table(
            (cell("a"), cell("b")),
            (cell(paragraph(mark, run("c"))), cell(paragraph(mark, run("d")))),
        )
        + paragraph(run("After."))
    )

    found = elements(tmp_path / "a", word(body), "docx")

    assert [(each.text, each.page) for each in found] == [
        ("Before.", 1), ("a | b\nc | d", 1), ("After.", 2),
    ]  # fmt: skip


def test_header_row_that_its_author_repeats_names_the_columns(tmp_path: Path) -> None:
    rows = [(cell(f"boat {at}"), cell(f"berth {at}")) for at in range(200)]
    body = table((cell("2031"), cell("2032")), *rows, head="<w:tblHeader/>")

    texts = words(tmp_path, body)

    assert len(texts) > 3
    assert all(text.startswith("2031 | 2032\nboat") for text in texts)


def test_numbers_of_items_stand_before_them_in_cells_too(tmp_path: Path) -> None:
    numbering = (
        f"<w:numbering {NAMES}><w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'>"
        "<w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>"
        "</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num></w:numbering>"
    )
    numbered = "<w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr>"
    body = (
        paragraph(run("first"), properties=numbered)
        + table((cell(paragraph(run("second"), properties=numbered)), cell("x")))
        + paragraph(run("third"), properties=numbered)
    )

    assert words(tmp_path, body, numbering=numbering) == ["1. first", "2. second | x", "3. third"]


def test_many_fields_take_no_longer_than_few(tmp_path: Path) -> None:
    body = paragraph(*[field("PAGEREF x", "3") for _ in range(1_000)])
    started = time.process_time()

    words(tmp_path, body)

    assert time.process_time() - started < 5


POINT = "<c:pt idx='{}'><c:v>{}</c:v></c:pt>".format
WORDS = "<c:{0}><c:strRef><c:strCache>{1}</c:strCache></c:strRef></c:{0}>".format
FIGURES = f"<c:formatCode>0.0</c:formatCode>{POINT(0, 41)}{POINT(1, 57.25)}"
CHART = (
    "<c:chartSpace xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart' "
    "xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><c:chart><c:title>"
    "<a:p><a:r><a:t>Crates a month</a:t></a:r></a:p></c:title><c:ser>"
    f"{WORDS('tx', POINT(0, 'Sorrel'))}{WORDS('cat', POINT(0, 'May') + POINT(1, 'June'))}"
    f"<c:val><c:numRef><c:numCache>{FIGURES}</c:numCache></c:numRef></c:val>"
    "</c:ser></c:chart></c:chartSpace>"
)


def test_chart_is_read_as_a_table_behind_its_paragraph(tmp_path: Path) -> None:
    drawing = (
        "<w:r><w:drawing><wp:inline><c:chart r:id='r1' "
        "xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart'/></wp:inline></w:drawing></w:r>"
    )

    found = read(tmp_path, paragraph(run("See:"), drawing) + paragraph(run("End.")), chart=CHART)

    assert found == [
        ("text", "See:"),
        ("text", "Crates a month"),
        ("table", " | Sorrel\nMay | 41.0\nJune | 57.3"),
        ("text", "End."),
    ]
