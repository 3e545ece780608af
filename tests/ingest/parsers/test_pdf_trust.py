"""A text that says nothing is told from one that only looks strange."""

import pytest

from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_trust import is_gibberish, is_poor, is_unreadable

ENGLISH = (
    "The keeper of the lantern writes the time in the terrace book and the weather of the night. "
    "It is the rule of the house that nobody leaves the book in the rain."
)
GERMAN = (
    "Der Stand kostet in der Woche vor dem Fest und am Tag danach das Doppelte, und die Kosten "
    "sind mit dem Amt in der Stadt abgestimmt, das ist so vereinbart."
)
CZECH = (
    "Strč prst skrz krk, vlk zmrzl, zhltl hrst zrn, prv než smrk zvlhl. Čtvrtá vrstva mrkve "
    "ztvrdla a trh se rozrostl na návrší nad městem, kde se prodávalo obilí každou středu ráno."
)
INDONESIAN = (
    "Kapal ke pulau itu berangkat pada jam tujuh pagi dan kembali sebelum tengah hari, kecuali "
    "pelabuhan di tutup karena kabut. Tanya ke penjaga lampu di dermaga."
)
TURKISH = (
    "Adaya giden vapur sabah yedide kalkar ve ogleden once geri doner, liman sis nedeniyle "
    "kapali degilse. Iskeledeki fener bekcisine sorun. O size geminin ne zaman gelecegini soyler."
)
CODES = " ".join(f"XR{number}-BKT-{number * 37 % 1000:03d} QPRT" for number in range(60))
HASHES = "9f86d081 884c7d65 9a2feaa0 c55ad015 a3bf4f1b 2b0b822c d15d6c15 b0f00a08 " * 6


def lines(text: str) -> list[Line]:
    return [Line(text[start : start + 70], 10, 0, 300, 0, 12) for start in range(0, len(text), 70)]


def shifted(text: str, by: int) -> str:
    """As a font without names shows it: every letter so many signs off, spaces kept."""
    return "".join(each if each == " " else chr(max(ord(each) + by, 0x21)) for each in text)


def exchanged(text: str) -> str:
    """Every letter replaced by another one."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    others = "qxzjkbvwpfmgcydulhrsntioae"
    return text.lower().translate(str.maketrans(letters, others))


@pytest.mark.parametrize("text", [ENGLISH, GERMAN])
@pytest.mark.parametrize("by", [-29, -28, 1, 3])
def test_text_whose_letters_are_shifted_is_gibberish(text: str, by: int) -> None:
    assert is_gibberish(lines(shifted(text, by)))


@pytest.mark.parametrize(
    "text",
    [
        exchanged(ENGLISH * 2),
        " ".join(f"(cid:{number})" for number in range(3, 90)),
        ENGLISH + " Total (cid:12)(cid:55)(cid:7)",
        "/g12/g14/g7 /g33/g105 " * 10,
    ],
    ids=["exchanged", "numbered", "partly numbered", "glyph names"],
)
def test_text_of_unknown_letters_is_gibberish(text: str) -> None:
    assert is_gibberish(lines(text))


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        GERMAN,
        CZECH * 2,
        CODES,
        HASHES,
        "HTTP XML SQL RFC JPG PNG TCP UDP DNS SSH TLS CSV " * 5,
        INDONESIAN,
        TURKISH,
        ENGLISH.upper(),
        "for row in rows: print(row, end='') while True: try: x = int(input()) except E: pass " * 3,
        "第一章 总则 本办法适用于全部部门。" * 20,
        "В соответствии с договором поставщик обязуется передать товар. " * 5,
        "وزارة الداخلية " * 30,
        "Ein Font ohne Namen wird als (cid:12) gezeigt, so steht es im Handbuch der Druckerei.",
        "",
    ],
)
def test_other_languages_and_tables_of_codes_are_no_gibberish(text: str) -> None:
    assert not is_gibberish(lines(text))


def test_layer_of_broken_words_is_poor_and_one_of_words_is_not() -> None:
    assert is_poor(lines("T h e k e e p e r ~ | _ ; o f t ^ e l a n t e r n w r i t e s"))
    assert not is_poor(lines(ENGLISH))
    assert not is_poor(lines("Total 318.40 EUR, 12 May 2031, INV-20417, 3 x 85.00 = 255.00"))
    assert not is_poor(lines("~ | _"))


@pytest.mark.parametrize("code", [0x01, 0x1F, 0x85, 0xE000, 0xF8FF, 0xFFFD, 0x10FFFE, 0xD800])
def test_character_without_a_meaning_is_unreadable(code: int) -> None:
    assert is_unreadable(code)


@pytest.mark.parametrize("character", "aß語א\u00ad\u200d•ﬁ\n")
def test_character_with_a_meaning_is_readable(character: str) -> None:
    assert not is_unreadable(ord(character))
