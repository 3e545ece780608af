from pathlib import Path

import pytest

from ingest.parsers.contract import Pages
from memory.domain.errors import Permanent
from tests.data.office_documents import open_document, open_sheet, packed, plain_ods
from tests.ingest.parsers.reading import elements, found

NAMES = ("name", "berth")


def read(folder: Path, body: str, styles: str = "") -> list[tuple[tuple[str, ...], str]]:
    content = open_document("spreadsheet", body, styles=styles)
    return [(each.heading_path, each.text) for each in elements(folder / "a", content, "ods")]


def test_rows_stand_under_the_name_of_their_sheet(tmp_path: Path) -> None:
    body = open_sheet("Empty", ()) + open_sheet("Boats", (NAMES, ("Sorrel", "4")))

    assert read(tmp_path, body) == [
        (("Boats",), "Boats"),
        (("Boats",), "name | berth\nSorrel | 4"),
    ]


def test_progress_counts_sheets(tmp_path: Path) -> None:
    pages = [each for each in found(tmp_path / "a", plain_ods(), "ods") if isinstance(each, Pages)]

    assert pages == [Pages(0, 2), Pages(1, 2), Pages(2, 2)]


def test_value_stands_as_the_sheet_shows_it(tmp_path: Path) -> None:
    shown = (
        "<table:table-cell office:value-type='float' office:value='0.074'><text:p>7,4 %</text:p>"
    )
    body = open_sheet("Shares", (("part", "share"), ("north", "7,4 %")))
    body = body.replace("<table:table-cell><text:p>7,4 %</text:p>", shown)

    assert read(tmp_path, body)[1] == (("Shares",), "part | share\nnorth | 7,4 %")


def test_repeated_cells_and_rows_are_read_as_often_and_the_empty_rest_is_not(
    tmp_path: Path,
) -> None:
    twice = "<table:table-cell table:number-columns-repeated='2'><text:p>4</text:p>"
    body = open_sheet("Boats", ((*NAMES, "length"), ("Sorrel", "x")))
    body = body.replace("<table:table-cell><text:p>x</text:p>", twice)
    row = body.rindex("<table:table-row>")
    body = body[:row] + body[row:].replace("-row>", "-row table:number-rows-repeated='2'>", 1)
    rest = (
        "<table:table-row table:number-rows-repeated='1048576'>"
        "<table:table-cell table:number-columns-repeated='16384'/></table:table-row>"
    )

    items = read(tmp_path, body.replace("</table:table>", f"{rest}</table:table>"))

    assert items[1][1].splitlines() == ["name | berth | length"] + ["Sorrel | 4 | 4"] * 2


def test_a_merged_cell_is_read_once_and_keeps_the_place_of_the_next(tmp_path: Path) -> None:
    merged = (
        "<table:table-cell><text:p>Sorrel</text:p></table:table-cell><table:covered-table-cell/>"
    )
    body = open_sheet("Boats", (("name", "hull", "berth"), ("Sorrel", "4")))
    body = body.replace("<table:table-cell><text:p>Sorrel</text:p></table:table-cell>", merged)

    assert read(tmp_path, body)[1][1] == "name | hull | berth\nSorrel |  | 4"


def test_hidden_sheet_says_so_in_its_name(tmp_path: Path) -> None:
    styles = (
        "<style:style style:name='s1'><style:table-properties table:display='false'/></style:style>"
    )
    body = open_sheet("Old", (NAMES, ("Teasel", "9")), style="s1")

    assert {path for path, _ in read(tmp_path, body, styles)} == {("Old (hidden sheet)",)}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (open_document("text", "<text:p>a</text:p>"), "it holds no spreadsheet"),
        (packed({"content.xml": "<broken"}), "The file is damaged"),
        (
            packed({"content.xml": "<a/>", "META-INF/manifest.xml": "<m><encryption-data/></m>"}),
            "protected by a password",
        ),
    ],
)
def test_what_is_no_readable_sheet_is_refused_with_its_reason(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    with pytest.raises(Permanent, match=reason):
        elements(tmp_path / "a", content, "ods")


def test_comments_stand_after_the_rows_and_never_in_their_cell(tmp_path: Path) -> None:
    remark = (
        "<office:annotation><text:p>Ask Ada.</text:p></office:annotation><text:p>Sorrel</text:p>"
    )
    body = open_sheet("Boats", (NAMES, ("Sorrel", "4"))).replace("<text:p>Sorrel</text:p>", remark)

    assert [text for _, text in read(tmp_path, body)] == [
        "Boats", "name | berth\nSorrel | 4", "Comment: Ask Ada.",
    ]  # fmt: skip


def test_hidden_rows_and_columns_are_said_to_be_hidden(tmp_path: Path) -> None:
    columns = "<table:table-column/><table:table-column table:visibility='collapse'/>"
    body = open_sheet("Boats", (NAMES, ("Sorrel", "4"), ("Teasel", "9")))
    body = body.replace("<table:table-row>", f"{columns}<table:table-row>", 1)
    row = body.rindex("<table:table-row>")
    body = body[:row] + body[row:].replace("-row>", "-row table:visibility='filter'>", 1)

    assert read(tmp_path, body)[1][1] == (
        "name | berth (hidden column)\nSorrel | 4\nTeasel | 9 | (hidden row)"
    )


def test_cell_that_was_never_shown_stands_with_its_value(tmp_path: Path) -> None:
    body = open_sheet("Boats", (("name", "due", "sum"), ("Sorrel", "x", "y")))
    body = body.replace(
        "<table:table-cell><text:p>x</text:p>", "<table:table-cell office:date-value='2031-05-14'>"
    )
    body = body.replace(
        "<table:table-cell><text:p>y</text:p>", "<table:table-cell table:formula='of:=1+1'>"
    )

    assert read(tmp_path, body)[1][1] == (
        "name | due | sum\nSorrel | 2031-05-14 | (formula, not calculated)"
    )
