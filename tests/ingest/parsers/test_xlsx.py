import datetime
import io
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook import Workbook

from ingest.domain.elements import ElementKind
from ingest.parsers.contract import Pages
from memory.domain.errors import Permanent
from tests.data.office_documents import packed
from tests.data.word_documents import strict
from tests.ingest.parsers.reading import elements, found, texts


def saved(book: Workbook) -> bytes:
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def test_rows_stand_under_the_name_of_their_sheet(tmp_path: Path) -> None:
    book = Workbook()
    book.active.title = "Empty"
    for title in ("Boats", "Crew"):
        for row in (("name", "number"), (f"one of {title}", 4)):
            (book[title] if title in book else book.create_sheet(title)).append(row)

    items = elements(tmp_path / "a", saved(book), "xlsx")

    assert [(each.heading_path, each.text) for each in items] == [
        (("Boats",), "Boats"),
        (("Boats",), "name | number\none of Boats | 4"),
        (("Crew",), "Crew"),
        (("Crew",), "name | number\none of Crew | 4"),
    ]


def test_progress_counts_sheets(tmp_path: Path) -> None:
    book = Workbook()
    book.create_sheet("two")

    assert found(tmp_path / "a", saved(book), "xlsx") == [Pages(0, 2), Pages(1, 2), Pages(2, 2)]


def test_formula_stands_with_its_last_value(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["sum of crates", "=1+2"])
    with_value = {
        name: part.replace(b"<v></v>", b"<v>3</v>").replace(b"<v />", b"<v>3</v>")
        for name, part in unpacked(saved(book)).items()
    }

    assert texts(tmp_path / "a", packed(with_value), "xlsx") == ["Sheet", "sum of crates | 3"]


def test_sheet_that_states_a_wrong_size_is_read_whole_and_soon(tmp_path: Path) -> None:
    book = Workbook()
    for number in range(3):
        book.active.append(["boat", number])
    for size in (b"A1", b"A1:XFD1048576"):
        parts = {
            name: part.replace(b'ref="A1:B3"', b'ref="' + size + b'"')
            for name, part in unpacked(saved(book)).items()
        }

        assert texts(tmp_path / "a", packed(parts), "xlsx")[1] == "boat | 0\nboat | 1\nboat | 2"


def unpacked(content: bytes) -> dict[str, bytes]:
    book = openpyxl.reader.excel.ZipFile(io.BytesIO(content))
    return {name: book.read(name) for name in book.namelist()}


def test_hidden_sheet_says_so_in_its_name(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["name", "berth"])
    for title, state in (("Old", "hidden"), ("Older", "veryHidden")):
        sheet = book.create_sheet(title)
        sheet.append(["name", "berth"])
        sheet.sheet_state = state

    items = elements(tmp_path / "a", saved(book), "xlsx")

    assert {each.heading_path for each in items} == {
        ("Sheet",),
        ("Old (hidden sheet)",),
        ("Older (hidden sheet)",),
    }


def cells(book: Workbook, folder: Path) -> list[str]:
    """The rows of its only sheet."""
    items = elements(folder / "a", saved(book), "xlsx")
    return [row for each in items[1:] for row in each.text.split("\n")]


def test_formula_that_was_never_calculated_says_so(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["crates", "sum", "note"])
    book.active.append([4, "=A2+1", None])

    assert cells(book, tmp_path) == ["crates | sum | note", "4 | (formula, not calculated)"]


def test_formula_that_gave_an_empty_text_is_an_empty_cell(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["left", '=IF(1,"","")', "right"])
    parts = {
        name: part.replace(b'<c r="B1">', b'<c r="B1" t="str">')
        for name, part in unpacked(saved(book)).items()
    }

    assert texts(tmp_path / "a", packed(parts), "xlsx")[1] == "left |  | right"


def test_hidden_rows_and_columns_are_read_and_said_to_be_hidden(tmp_path: Path) -> None:
    book = Workbook()
    for row in (("name", "pay", "berth"), ("Sorrel", 100, 4), ("Teasel", 200, 9)):
        book.active.append(row)
    book.active.column_dimensions["B"].hidden = True
    book.active.row_dimensions[3].hidden = True

    assert cells(book, tmp_path) == [
        "name | pay (hidden column) | berth",
        "Sorrel | 100 | 4",
        "Teasel | 200 | 9 | (hidden row)",
    ]


def test_comments_stand_after_the_rows_with_their_cell_and_author(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["boat", "berth"])
    book.active["B1"].comment = Comment("Ask the harbor office.", "Ada Lunt")
    book.active["A1"].comment = Comment(
        "[Threaded comment]\n\nYour version of Excel is old.\n\nComment:\n    Which boat?",
        "tc={1-2}",
    )

    items = elements(tmp_path / "a", saved(book), "xlsx")

    assert {(each.kind.value, each.text) for each in items if each.kind is ElementKind.NOTE} == {
        ("note", "Comment on B1 by Ada Lunt: Ask the harbor office."),
        ("note", "Comment on A1: Which boat?"),
    }


def test_merged_cell_is_read_once(tmp_path: Path) -> None:
    book = Workbook()
    for row in (("Harbor 2031", None, None), ("boat", "berth", "fee"), ("Sorrel", 4, 9)):
        book.active.append(row)
    book.active.merge_cells("A1:C1")

    assert cells(book, tmp_path) == ["Harbor 2031", "boat | berth | fee", "Sorrel | 4 | 9"]


def test_two_tables_below_each_other_have_their_own_names(tmp_path: Path) -> None:
    book = Workbook()
    for row in (("boat", "berth"), ("Sorrel", 4), (), (), ("crew", "age"), ("Ada", 41)):
        book.active.append(row)

    items = elements(tmp_path / "a", saved(book), "xlsx")

    assert [each.text for each in items[1:]] == ["boat | berth\nSorrel | 4", "crew | age\nAda | 41"]


def test_empty_leading_rows_and_columns_are_left_out(tmp_path: Path) -> None:
    book = Workbook()
    for place, value in (("C7", "boat"), ("D7", "berth"), ("C8", "Sorrel"), ("D8", 4)):
        book.active[place] = value

    assert cells(book, tmp_path) == ["boat | berth", "Sorrel | 4"]


def test_dates_counted_from_1904_are_right(tmp_path: Path) -> None:
    book = Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.active.append(["day", datetime.date(2031, 5, 14)])

    assert cells(book, tmp_path) == ["day | 2031-05-14"]


@pytest.mark.parametrize(
    "kind",
    [
        "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml",
    ],
)
def test_template_and_file_with_macros_are_read(kind: str, tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["boat", "berth"])
    usual = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    parts = unpacked(saved(book))
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(usual, kind.encode())

    assert texts(tmp_path / "a", packed(parts), "xlsx")[1] == "boat | berth"


def test_strict_workbook_is_read(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["boat", "berth"])

    content = strict(unpacked(saved(book)))

    assert texts(tmp_path / "a", content, "xlsx")[1] == "boat | berth"


def test_entities_that_multiply_are_refused(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["words"])
    lines = "".join(f"<!ENTITY e{at} '{f'&e{at - 1};' * 10}'>" for at in range(1, 12))
    parts = unpacked(saved(book))
    for name, part in parts.items():
        if name in {"xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"}:
            head = f"<!DOCTYPE a [<!ENTITY e0 'words'>{lines}]>".encode()
            parts[name] = head + part.replace(b"<t>words</t>", b"<t>&e11;</t>")

    with pytest.raises(Permanent, match="damaged"):
        texts(tmp_path / "a", packed(parts), "xlsx")
