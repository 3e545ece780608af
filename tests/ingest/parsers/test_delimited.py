from pathlib import Path

import pytest

from tests.ingest.parsers.reading import texts


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a,b\n1,2", "a | b\n1 | 2"),
        ('a;b\n"1;5";"2,5"', "a | b\n1;5 | 2,5"),
        ("a\tb\n1, 2\t3, 4", "a | b\n1, 2 | 3, 4"),
        ("a|b\n1|2", "a | b\n1 | 2"),
        ("sep=;\na;b\n1;2", "a | b\n1 | 2"),
        ("nickname\nheron\nlong-eared owl", "nickname\nheron\nlong-eared owl"),
        ('a,b\n"two\nlines",2', "a | b\ntwo lines | 2"),
        ('a,b\n1,"never closed', "a | b\n1 | never closed"),
        ("a,b\r\n\r\n1,2\r\n", "a | b\n1 | 2"),
        ("a,b\n1\x00,2", "a | b\n1 | 2"),
        ("a;b\n" + "1,5;2,5\n" * 30, "a | b\n" + "\n".join(["1,5 | 2,5"] * 30)),
        ("1,5;2,5\n" * 3, "\n".join(["1,5 | 2,5"] * 3)),
        ("# exported 2031\n# by Ada\na,b\n1,2", "# exported 2031\n# by Ada\na | b\n1 | 2"),
        ('a, b\n1, "x, y"', "a | b\n1 | x, y"),
        (
            "id,ok,n\n007,TRUE,NULL\n08,false,NA\n09,,n/a",
            "id | ok | n\n007 | TRUE | NULL\n08 | false | NA\n09 |  | n/a",
        ),
        ("id\n12345678901234567890\n0012", "id\n12345678901234567890\n0012"),
        ("a\tb\n1;5\t2", "a | b\n1;5 | 2"),
    ],
)
def test_delimiter_is_the_one_that_most_rows_share(content: str, text: str, tmp_path: Path) -> None:
    assert texts(tmp_path / "a.csv", content.encode(), "csv") == [text]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_names_and_cells_survive_every_encoding(encoding: str, tmp_path: Path) -> None:
    content = "größe,preis\nDübel 8 mm,3 €".encode(encoding)

    assert texts(tmp_path / "a.csv", content, "csv") == ["größe | preis\nDübel 8 mm | 3 €"]


def test_one_very_long_cell_is_read(tmp_path: Path) -> None:
    content = b'a,b\n"' + b"word " * 60_000 + b'",2'

    (text,) = texts(tmp_path / "a.csv", content, "csv")

    assert text.count("word") == 60_000
