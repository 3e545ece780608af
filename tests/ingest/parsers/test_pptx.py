import io
from copy import deepcopy
from pathlib import Path

import pptx
import pytest
from lxml import etree
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Cm

from tests.data.office_documents import packed
from tests.data.word_documents import strict
from tests.ingest.parsers.reading import elements
from tests.ingest.parsers.test_xlsx import unpacked

TITLE_AND_TEXT, BLANK = 1, 6
DIAGRAM = (
    "<d xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><a:p><a:r><a:t>boxed </a:t>"
    "</a:r><a:r><a:t>words</a:t></a:r></a:p></d>"
)


@pytest.fixture
def deck() -> Presentation:
    return pptx.Presentation()


def added(deck: Presentation, layout: int = BLANK) -> Slide:
    return deck.slides.add_slide(deck.slide_layouts[layout])


def read(deck: Presentation, folder: Path) -> list[tuple[str, int | None, tuple[str, ...], str]]:
    written = io.BytesIO()
    deck.save(written)
    items = elements(folder / "deck.pptx", written.getvalue(), "pptx")
    return [(each.kind.value, each.page, each.heading_path, each.text) for each in items]


def test_slide_without_words_in_its_title_is_headed_by_its_number(
    deck: Presentation, tmp_path: Path
) -> None:
    slide = added(deck, TITLE_AND_TEXT)
    slide.placeholders[1].text = "the only item"

    assert read(deck, tmp_path) == [("list_item", 1, ("Slide 1",), "the only item")]


def test_whole_slide_in_the_title_is_read_as_its_text(deck: Presentation, tmp_path: Path) -> None:
    slide = added(deck, TITLE_AND_TEXT)
    slide.shapes.title.text = "\n".join(f"line {number} of a long story" for number in range(20))

    items = read(deck, tmp_path)

    assert len(items) == 20
    assert items[3] == ("list_item", 1, ("Slide 1",), "line 3 of a long story")


def test_notes_are_marked_as_notes_of_their_slide(deck: Presentation, tmp_path: Path) -> None:
    added(deck)
    slide = added(deck, TITLE_AND_TEXT)
    slide.shapes.title.text = "Budget"
    slide.notes_slide.notes_text_frame.text = "Say seven percent.\vNot more."

    text = "Speaker notes: Say seven percent.\nNot more."
    assert read(deck, tmp_path)[-1] == ("note", 2, ("Budget", "Speaker notes"), text)


def test_shapes_are_read_from_the_top_and_a_table_row_by_row(
    deck: Presentation, tmp_path: Path
) -> None:
    shapes = added(deck).shapes
    for left, top, text in ((9, 4, "right"), (2, 9, "below"), (2, 4, "left")):
        shapes.add_textbox(Cm(left), Cm(top), Cm(3), Cm(1)).text_frame.text = text
    table = shapes.add_table(2, 2, Cm(2), Cm(1), Cm(9), Cm(2)).table
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(0, 0).text, table.cell(1, 0).text, table.cell(1, 1).text = "both", "one", "two"

    assert [text for *_, text in read(deck, tmp_path)] == [
        "both\none | two", "left", "right", "below",
    ]  # fmt: skip


def test_figures_of_a_chart_are_read_with_their_categories(
    deck: Presentation, tmp_path: Path
) -> None:
    data = CategoryChartData()
    data.categories = ["May", "June"]
    data.add_series("Crates", (41, 57.5))
    place = (Cm(2), Cm(2), Cm(9), Cm(5))
    added(deck).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)

    assert ("table", 1, ("Slide 1",), " | Crates\nMay | 41\nJune | 57.5") in read(deck, tmp_path)


def test_words_of_a_diagram_are_read(deck: Presentation, tmp_path: Path) -> None:
    slide = added(deck)
    part = Part(PackURI("/ppt/diagrams/data1.xml"), "application/xml", deck.part.package,
                etree.tostring(etree.fromstring(DIAGRAM)))  # fmt: skip
    slide.part.relate_to(part, "http://example.org/relationships/diagramData")

    assert read(deck, tmp_path) == [("text", 1, ("Slide 1",), "boxed words")]


def test_footer_is_read_once_at_the_end_and_numbers_never(
    deck: Presentation, tmp_path: Path
) -> None:
    for _ in range(2):
        slide = added(deck, TITLE_AND_TEXT)
        slide.shapes.title.text = "Same title"
        for layout_shape in slide.slide_layout.placeholders:
            if layout_shape.placeholder_format.idx in {11, 12}:
                slide.shapes.clone_placeholder(layout_shape)
        for shape in slide.placeholders:
            if shape.placeholder_format.idx in {11, 12}:
                shape.text = {11: "Harbor office", 12: "77"}[shape.placeholder_format.idx]

    items = read(deck, tmp_path)

    assert [(kind, page) for kind, page, *_ in items] == [
        ("title", 1),
        ("title", 2),
        ("note", None),
    ]
    assert items[-1] == ("note", None, (), "Harbor office")


def test_hidden_slide_says_so_in_its_title(deck: Presentation, tmp_path: Path) -> None:
    for title in ("Shown", "Kept back"):
        slide = added(deck, TITLE_AND_TEXT)
        slide.shapes.title.text = title
        slide.placeholders[1].text = "item"
    slide._element.set("show", "0")
    added(deck).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "bare"
    deck.slides[2]._element.set("show", "0")

    titles = [(kind, text) for kind, *_, text in read(deck, tmp_path) if kind == "title"]

    assert titles == [
        ("title", "Shown"),
        ("title", "Kept back (hidden slide)"),
        ("title", "Slide 3 (hidden slide)"),
    ]


def test_boxes_at_nearly_the_same_height_are_read_from_the_left(
    deck: Presentation, tmp_path: Path
) -> None:
    shapes = added(deck).shapes
    for left, top, text in ((9, 4, "right"), (2, 4.1, "left"), (2, 6, "below")):
        shapes.add_textbox(Cm(left), Cm(top), Cm(3), Cm(1)).text_frame.text = text

    assert [text for *_, text in read(deck, tmp_path)] == ["left", "right", "below"]


def test_merged_and_empty_cells_keep_the_others_in_their_columns(
    deck: Presentation, tmp_path: Path
) -> None:
    table = added(deck).shapes.add_table(4, 3, Cm(2), Cm(1), Cm(9), Cm(2)).table
    for at, words in enumerate(("ward early late", "Cedar Ilse Bram", "- - Noor", "Elm - Ada")):
        for place, word in enumerate(words.split()):
            table.cell(at, place).text = word.replace("-", "")
    table.cell(1, 0).merge(table.cell(2, 0))

    assert [text for *_, text in read(deck, tmp_path)] == [
        "ward | early | late\nCedar | Ilse | Bram\n |  | Noor\nElm |  | Ada"
    ]


def test_figures_of_a_chart_stand_in_their_form_under_the_names_of_all_series(
    deck: Presentation, tmp_path: Path
) -> None:
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["May", "June"]
    data.add_series("Crates", (0.41, 0.575))
    data.add_series("Sacks", (0.1, None))
    place = (Cm(2), Cm(2), Cm(9), Cm(5))
    chart = added(deck).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
    chart.chart_title.text_frame.text = "Share of all"

    found = [(kind, text) for kind, *_, text in read(deck, tmp_path)]

    assert found == [
        ("text", "Share of all"),
        ("table", " | Crates | Sacks\nMay | 41.0% | 10.0%\nJune | 57.5%"),
    ]


COMMENTS = (
    "<p:cmLst xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main'>"
    "<p:cm authorId='0'><p:pos x='1' y='1'/><p:text>Is that the final figure?</p:text></p:cm>"
    "</p:cmLst>"
)
NEWER_COMMENTS = (
    "<p188:cmLst xmlns:p188='http://schemas.microsoft.com/office/powerpoint/2018/8/main' "
    "xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><p188:cm><p188:replyLst>"
    "<p188:reply><p188:txBody><a:p><a:r><a:t>No.</a:t></a:r></a:p></p188:txBody></p188:reply>"
    "</p188:replyLst><p188:txBody><a:p><a:r><a:t>Final?</a:t></a:r></a:p></p188:txBody></p188:cm>"
    "</p188:cmLst>"
)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (COMMENTS, ["Comment: Is that the final figure?"]),
        (NEWER_COMMENTS, ["Comment: Final?", "Comment: No."]),
    ],
)
def test_comments_are_labelled(
    content: str, said: list[str], deck: Presentation, tmp_path: Path
) -> None:
    slide = added(deck)
    part = Part(PackURI("/ppt/comments/comment1.xml"), "application/xml", deck.part.package,
                content.encode())  # fmt: skip
    slide.part.relate_to(part, "http://example.org/relationships/comments")

    assert [(kind, text) for kind, *_, text in read(deck, tmp_path)] == [
        ("note", each) for each in said
    ]


def test_newer_shape_and_its_equation_are_read_once(deck: Presentation, tmp_path: Path) -> None:
    slide = added(deck)
    box = slide.shapes.add_textbox(Cm(1), Cm(1), Cm(5), Cm(1))
    box.text_frame.text = "Area:"
    names = (
        "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006' "
        "xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math' "
        "xmlns:a14='http://schemas.microsoft.com/office/drawing/2010/main'"
    )
    both = etree.fromstring(
        f"<mc:AlternateContent {names}><mc:Choice Requires='a14'/><mc:Fallback/>"
        "</mc:AlternateContent>"
    )
    equation = etree.fromstring(
        f"<a14:m {names}><m:oMath><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2"
        "</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m>"
    )
    box.text_frame.paragraphs[0]._p.append(equation)
    box._element.addprevious(both)
    both[1].append(deepcopy(box._element))
    both[0].append(box._element)

    assert [text for *_, text in read(deck, tmp_path)] == ["Area: r^2"]


@pytest.mark.parametrize(
    "kind",
    ["presentationml.slideshow", "presentationml.template", "presentation.macroEnabled"],
)
def test_show_template_and_file_with_macros_are_read(
    kind: str, deck: Presentation, tmp_path: Path
) -> None:
    added(deck).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "words"
    written = io.BytesIO()
    deck.save(written)
    start = "application/vnd.openxmlformats-officedocument"
    usual = f"{start}.presentationml.presentation.main+xml".encode()
    other = kind.startswith("presentationml")
    wanted = (
        f"{start}.{kind}.main+xml" if other else f"application/vnd.ms-powerpoint.{kind}.main+xml"
    )
    parts = unpacked(written.getvalue())
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(usual, wanted.encode())

    assert [each.text for each in elements(tmp_path / "a", packed(parts), "pptx")] == ["words"]


def test_strict_presentation_is_read(deck: Presentation, tmp_path: Path) -> None:
    added(deck).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "words"
    written = io.BytesIO()
    deck.save(written)

    items = elements(tmp_path / "a", strict(unpacked(written.getvalue())), "pptx")

    assert [each.text for each in items] == ["words"]
