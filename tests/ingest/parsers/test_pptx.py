import io
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

from tests.ingest.parsers.reading import elements

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

    assert ("table", 1, ("Slide 1",), "Crates | May: 41 | June: 57.5") in read(deck, tmp_path)


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
