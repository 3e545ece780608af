from pathlib import Path

from ingest.domain.elements import ElementKind
from ingest.parsers.contract import Pages
from tests.data.office_documents import open_document, open_slide, plain_odp
from tests.ingest.parsers.reading import elements, found


def read(folder: Path, body: str) -> list[tuple[str, int | None, tuple[str, ...], str]]:
    items = elements(folder / "a", open_document("presentation", body), "odp")
    return [(each.kind.value, each.page, each.heading_path, each.text) for each in items]


def test_slides_are_pages_with_title_items_and_labelled_notes(tmp_path: Path) -> None:
    body = open_slide("Tour", ["Bring a coat"]) + open_slide("Fees", ["None"], notes="Ask Odile.")

    assert read(tmp_path, body) == [
        ("title", 1, ("Tour",), "Tour"),
        ("list_item", 1, ("Tour",), "Bring a coat"),
        ("title", 2, ("Fees",), "Fees"),
        ("list_item", 2, ("Fees",), "None"),
        ("note", 2, ("Fees", "Speaker notes"), "Speaker notes: Ask Odile."),
    ]


def test_progress_counts_slides(tmp_path: Path) -> None:
    pages = [each for each in found(tmp_path / "a", plain_odp(), "odp") if isinstance(each, Pages)]

    assert pages == [Pages(0, 2), Pages(1, 2), Pages(2, 2)]


def test_slide_without_a_title_is_named_by_its_number(tmp_path: Path) -> None:
    body = "<draw:page><draw:frame><draw:text-box><text:p>alone</text:p></draw:text-box>"

    assert read(tmp_path, f"{body}</draw:frame></draw:page>") == [
        ("text", 1, ("Slide 1",), "alone")
    ]


def test_title_that_is_the_whole_slide_is_read_as_its_text(tmp_path: Path) -> None:
    long = "All words of the slide. " * 12

    ((kind, _, path, text),) = read(tmp_path, open_slide(long, []))

    assert (kind, path, text) == (ElementKind.TEXT, ("Slide 1",), long.strip())


def test_table_is_read_row_by_row_and_its_cells_once(tmp_path: Path) -> None:
    cells = "".join(
        f"<table:table-cell><text:p>{word}</text:p></table:table-cell>" for word in ("north", "dry")
    )
    table = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"

    items = read(tmp_path, f"<draw:page><draw:frame>{table}</draw:frame></draw:page>")

    assert items == [("table", 1, ("Slide 1",), "north | dry")]


def test_margins_and_the_small_picture_on_the_notes_are_left_out(tmp_path: Path) -> None:
    margins = "".join(
        f"<draw:frame presentation:class='{name}'><draw:text-box><text:p>{name}</text:p>"
        "</draw:text-box></draw:frame>"
        for name in ("header", "footer", "date-time", "page-number")
    )
    notes = f"<presentation:notes>{margins}</presentation:notes>"

    assert read(tmp_path, f"<draw:page>{margins}{notes}</draw:page>") == []


def test_hidden_slide_says_so_and_comments_are_labelled(tmp_path: Path) -> None:
    styles = (
        "<style:style style:name='dp1'>"
        "<style:drawing-page-properties presentation:visibility='hidden'/></style:style>"
    )
    remark = "<office:annotation><text:p>Check this.</text:p></office:annotation></draw:page>"
    body = open_slide("Fees", ["None"]).replace("</draw:page>", remark)
    body = body.replace("<draw:page>", "<draw:page draw:style-name='dp1'>")

    content = open_document("presentation", body, styles=styles)
    found = elements(tmp_path / "a", content, "odp")

    assert [(each.kind.value, each.heading_path, each.text) for each in found] == [
        ("title", ("Fees (hidden slide)",), "Fees (hidden slide)"),
        ("list_item", ("Fees (hidden slide)",), "None"),
        ("note", ("Fees (hidden slide)",), "Comment: Check this."),
    ]


def test_shapes_are_read_from_the_top_then_from_the_left(tmp_path: Path) -> None:
    shape = (
        "<draw:custom-shape xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0' "
        "svg:x='{}' svg:y='{}'><text:p>{}</text:p></draw:custom-shape>"
    ).format
    shapes = (
        shape("9cm", "4cm", "right") + shape("2cm", "90mm", "below") + shape("1in", "4.1cm", "left")
    )

    found = [text for *_, text in read(tmp_path, f"<draw:page>{shapes}</draw:page>")]

    assert found == ["left", "right", "below"]
