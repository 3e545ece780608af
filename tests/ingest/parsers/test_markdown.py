"""Markdown as people and models write it."""

from pathlib import Path

import pytest

from tests.ingest.parsers.reading import elements


def read(folder: Path, text: str) -> list[tuple[str, str]]:
    return [(each.kind.value, each.text) for each in elements(folder / "a", text.encode(), "md")]


def test_table_right_below_a_sentence_is_a_table(tmp_path: Path) -> None:
    text = "Berths:\n| boat | berth |\n|------|------:|\n| Sorrel | 4 |\n| | 9 |\n"

    assert read(tmp_path, text) == [
        ("text", "Berths:"),
        ("table", "boat | berth\nSorrel | 4\n | 9"),
    ]


def test_code_keeps_its_lines_and_what_looks_like_markup(tmp_path: Path) -> None:
    text = "1. Install:\n   ```sh\n   # no heading\n   | a | b |\n   ```\n2. Run\n"

    assert read(tmp_path, text) == [
        ("list_item", "1. Install:"), ("code", "# no heading\n| a | b |"), ("list_item", "2. Run"),
    ]  # fmt: skip


@pytest.mark.parametrize("fence", ["---\n{}\n---\n", "+++\n{}\n+++\n", "---\r\n{}\r\n---\r\n"])
def test_front_matter_is_a_note(fence: str, tmp_path: Path) -> None:
    text = fence.format("title: Tides") + "# Heading\n"

    assert read(tmp_path, text) == [("note", "title: Tides"), ("title", "Heading")]


def test_parts_of_a_page_are_read_as_its_reader_sees_them(tmp_path: Path) -> None:
    text = "<div hidden>no</div>\n\n<p>seen <b>words</b></p>\n\n<!-- no -->\nAnd <kbd>Esc</kbd>.\n"

    assert read(tmp_path, text) == [("text", "seen words"), ("text", "And Esc.")]


def test_items_within_items_are_read_one_by_one(tmp_path: Path) -> None:
    assert read(tmp_path, "- outer\n  - inner\n    - innermost\n* * *\nend") == [
        ("list_item", "outer"), ("list_item", "inner"), ("list_item", "innermost"), ("text", "end"),
    ]  # fmt: skip
