import pytest

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.rows import Row, read_rows


def shown(rows: list[Row]) -> list[tuple[str, str]]:
    return [(element.kind.value, element.text) for element in read_rows(rows)]


def test_rows_stand_under_their_names() -> None:
    rows = [["name", "berth"], ["Sorrel", "4"], ["Teasel", ""]]

    assert list(read_rows(rows, ("Boats",))) == [
        Element(ElementKind.TABLE, "name | berth\nSorrel | 4\nTeasel", None, ("Boats",))
    ]


def test_rows_without_names_are_not_headed_by_the_first() -> None:
    rows = [["Sorrel", "4"]] * 200

    texts = [text for _, text in shown(rows)]

    assert len(texts) > 1
    assert sum(text.count("Sorrel | 4") for text in texts) == 200


def test_every_group_of_a_long_table_repeats_the_names_and_stays_whole() -> None:
    rows = [["boat", "berth"], *[[f"boat number {number}", "4"] for number in range(300)]]

    texts = [text for _, text in shown(rows)]

    assert len(texts) > 5
    assert all(text.startswith("boat | berth\nboat number") for text in texts)
    assert max(map(len, texts)) <= 800
    assert sum(text.count("boat number") for text in texts) == 300


def test_years_name_columns() -> None:
    assert shown([["", "2030", "2031"], ["crates", "40", "57"]]) == [
        ("table", " | 2030 | 2031\ncrates | 40 | 57")
    ]


def test_empty_cells_keep_their_place_and_an_empty_margin_does_not() -> None:
    rows = [["", "", "room", "state", "part"], ["", "", "north", "", "7"]]

    assert shown(rows) == [("table", "room | state | part\nnorth |  | 7")]


def test_cell_left_of_the_margin_is_not_lost_further_down() -> None:
    rows = [*[["", "x", "1"] for _ in range(30)], ["late", "x", "2"]]

    assert shown(rows)[-1][1].endswith("late | x | 2")


def test_lines_above_the_names_stay_with_the_first_group() -> None:
    rows = [["", "Half-year report"], ["in millions", "", "June"], ["", "sales", "costs", "rest"],
            ["north", "12", "7", "5"]]  # fmt: skip

    assert shown(rows) == [
        (
            "table",
            "Half-year report\nin millions | June\n | sales | costs | rest\nnorth | 12 | 7 | 5",
        ),
    ]


def test_long_lines_above_a_table_are_text_of_their_own() -> None:
    rows = [["Remarks. " * 40], ["boat", "berth"], ["Sorrel", "4"]]

    assert [kind for kind, _ in shown(rows)] == ["text", "table"]


def test_names_hold_for_the_block_below_the_blank_row() -> None:
    names = ["", "sales", "costs", "rest"]
    rows = [["in millions", "June"], names, [""], ["north", "12", "7", "5"]]

    assert shown(rows) == [
        ("table", "in millions | June\n | sales | costs | rest\nnorth | 12 | 7 | 5"),
    ]


def test_line_between_names_and_their_rows_is_not_lost() -> None:
    rows = [["", "sales", "costs"], [], ["first half"], ["north", "12", "7"]]

    assert shown(rows) == [("table", "first half\n | sales | costs\nnorth | 12 | 7")]


def test_words_before_another_table_stay_a_table_of_their_own() -> None:
    rows = [["ship", "home"], ["Sorrel", "Aarhus"], [], ["year", "tons"], ["2031", "40"]]

    assert shown(rows) == [
        ("table", "ship | home\nSorrel | Aarhus"),
        ("table", "year | tons\n2031 | 40"),
    ]


def test_wide_table_is_read_as_records() -> None:
    names = [f"a rather long name of column {number}" for number in range(12)]

    (element,) = shown([names, ["", "7", *[""] * 9, "north"], ["1"]])

    assert element[1].split("\n") == [
        "a rather long name of column 1: 7; a rather long name of column 11: north",
        "a rather long name of column 0: 1",
    ]


@pytest.mark.parametrize("rows", [[], [[]], [["", ""], [""]]])
def test_empty_rows_give_nothing(rows: list[Row]) -> None:
    assert shown(rows) == []
