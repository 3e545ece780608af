import pytest

from ingest.parsers.encodings import decode_text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Ordinary words.", "ascii"),
        ("Dübel, Żarówka, 電球", "utf-8"),
        ("Dübel, Żarówka, 電球", "utf-8-sig"),
        ("Dübel, Żarówka, 電球", "utf-16"),
        ("Words of a wide text", "utf-16-le"),
        ("Words of a wide text", "utf-16-be"),
        ("Dübel, Żarówka, 電球", "utf-32"),
        ("Der schöne Preis – 15,50 €", "cp1252"),
        ("Le café est très “bon”, à bientôt l’ami", "cp1252"),
        ("Привет, это обычный русский текст для проверки.", "cp1251"),
        ("これは日本語のテキストです。漢字も含まれています。", "shift_jis"),
        ("这是一个中文文本，用于测试编码。", "gb18030"),
        ("Zażółć gęślą jaźń, żarówka i łódź", "cp1250"),
    ],
)
def test_decode_text_finds_the_encoding(text: str, encoding: str) -> None:
    assert decode_text(text.encode(encoding)) == text


def test_decode_text_keeps_the_rest_of_a_text_with_a_broken_byte() -> None:
    assert decode_text("\ufeffgood \u2013 bad".encode() + b"\xff end").startswith("good – bad")


def test_decode_text_of_nothing_is_nothing() -> None:
    assert decode_text(b"") == ""
