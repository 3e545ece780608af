"""Rich text in the alphabets of its fonts."""

from pathlib import Path

import pytest

from tests.ingest.parsers.reading import texts


def escaped(text: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding))


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        (204, "cp1251", "Привет, мир 7"),
        (128, "cp932", "電球は5円"),
        (134, "gb18030", "灯泡 5 元"),
        (238, "cp1250", "Zażółć gęślą"),
        (161, "cp1253", "Καλημέρα"),
        (177, "cp1255", "שלום"),
        (0, "cp1252", "Grüße – 5 €"),
    ],
)  # fmt: skip
def test_letters_are_those_of_their_font(
    charset: int, encoding: str, text: str, tmp_path: Path
) -> None:
    content = (
        rf"{{\rtf1\ansi\ansicpg1252{{\fonttbl{{\f0\fcharset0 Arial;}}{{\f1\fcharset{charset} X;}}}}"
        rf"\f0 Gr\'fc\'dfe {{\f1 {escaped(text, encoding)}}} f\'fcr\par}}"
    )

    assert texts(tmp_path / "a", content.encode(), "rtf") == [f"Grüße {text} für"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (r"{\rtf1\ansi\ansicpg1251 " + escaped("Да", "cp1251") + r"\par}", "Да"),
        (r"{\rtf1\ansi \u1047?\u1076? ok\par}", "Зд ok"),
        (r"{\rtf1\ansi \uc2\u1047??\u1076?? ok\par}", "Зд ok"),
        (r"{\rtf1\ansi \uc0\u1047 \u1076 x\par}", "Здx"),
        (r"{\rtf1\ansi \u1047\'c7 ok\par}", "З ok"),
        (r"{\rtf1\ansi\uc2 Gr\'fc\'dfe\par}", "Grüße"),
        (r"{\rtf1\mac Gr\'9fn\par}", "Grün"),
        (r"{\rtf1\ansi a\{b\}\\c\par}", r"a{b}\c"),
    ],
)
def test_letters_are_those_of_the_document_or_of_their_number(
    content: str, text: str, tmp_path: Path
) -> None:
    assert texts(tmp_path / "a", content.encode(), "rtf") == [text]


def test_letters_that_were_never_escaped_are_read(tmp_path: Path) -> None:
    content = b"{\\rtf1\\ansi\\ansicpg1252 Gr\xfc\xdfe direkt\\par}"

    assert texts(tmp_path / "a", content, "rtf") == ["Grüße direkt"]
