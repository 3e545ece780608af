from pathlib import Path

import pytest

from ingest.domain.media_types import sniff_file
from ingest.parsers.encodings import decode_text
from tests.ingest.parsers.reading import texts


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


SAMPLES = {
    "csv": ("name,price\nDübel 8 mm,3 €\nŻarówka E27,4\n電球,5\n", "Dübel 8 mm | 3 €"),
    "txt": ("Dübel, Żarówka\n\n電球 costs 5\n", "電球 costs 5"),
    "md": ("# Dübel\n\nŻarówka, 電球\n", "Żarówka, 電球"),
    "html": ("<html><body><p>Dübel, 電球</p></body></html>", "Dübel, 電球"),
    "json": ('{"name": "Dübel", "other": "電球"}', "other: 電球"),
    "xml": ("<?xml version='1.0'?><a><b>Dübel 電球</b></a>", "a.b: Dübel 電球"),
    "py": ("# Dübel, 電球\nprice = 5\n", "# Dübel, 電球\nprice = 5"),
}
WIDE = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
MARKS = {"utf-16-be": b"\xfe\xff", "utf-32-be": b"\x00\x00\xfe\xff"}


@pytest.mark.parametrize("ending", SAMPLES)
@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("mark", [b"", MARKS], ids=["as it is", "with a mark"])
def test_every_kind_of_text_is_read_in_every_wide_encoding(
    ending: str, encoding: str, mark: dict[str, bytes] | bytes, tmp_path: Path
) -> None:
    text, found = SAMPLES[ending]
    content = (MARKS.get(encoding, b"") if mark else b"") + text.encode(encoding)
    path = tmp_path / "stored"
    path.write_bytes(content)

    kind = sniff_file(path, f"a.{ending}").id

    shown = texts(path, content, kind)
    assert found in "\n".join(shown).split("\n") or found in shown
    assert not {"\ufeff", "\x00", "\ufffd"}.intersection("".join(shown))


@pytest.mark.parametrize(
    "text", ["Привет, мир.\nЭто склад: 12 шт.\n", "電球,5\n箱,12\n品名,数量\n"]
)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_latin_letters_and_without_a_mark_is_read(
    text: str, encoding: str
) -> None:
    assert decode_text(text.encode(encoding)) == text


def test_stray_nul_bytes_do_not_make_a_text_wide() -> None:
    assert decode_text(b"Tamsin\x00Brook 55121 and\x00more") == "Tamsin\x00Brook 55121 and\x00more"


def test_utf8_with_a_bad_byte_or_a_cut_end_stays_utf8() -> None:
    text = "Dübel, Żarówka, 電球\n" * 9

    assert decode_text(text.encode()[:-2]).startswith(text[:-2])
    assert decode_text(text.encode() + b"\xff end") == f"{text}\ufffd end"
