from pathlib import Path

from tests.ingest.parsers.reading import elements, texts


def test_blocks_begin_at_the_margin_after_a_blank_line(tmp_path: Path) -> None:
    content = b"import os\n\n\ndef one():\n    a = 1\n\n    return a\n\ndef two():\n    pass\n"

    assert texts(tmp_path / "a", content, "code") == [
        "import os",
        "def one():\n    a = 1\n\n    return a",
        "def two():\n    pass",
    ]


def test_indents_and_line_ends_of_every_system_are_kept_as_lines(tmp_path: Path) -> None:
    assert texts(tmp_path / "a", b"a:\r\n\tb: 1\r\rc: 2", "code") == ["a:\n\tb: 1", "c: 2"]


def test_file_of_blanks_gives_nothing(tmp_path: Path) -> None:
    assert elements(tmp_path / "a", b"\n  \n\t\n", "code") == []


def test_comments_in_an_old_encoding_are_read(tmp_path: Path) -> None:
    content = "# Prüfung für Süd\nwert: 1".encode("cp1252")

    assert texts(tmp_path / "a", content, "code") == ["# Prüfung für Süd\nwert: 1"]
