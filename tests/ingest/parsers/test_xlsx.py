import io
from pathlib import Path

import openpyxl
from openpyxl.workbook import Workbook

from ingest.parsers.contract import Pages
from tests.data.office_documents import packed
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
