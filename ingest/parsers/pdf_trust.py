"""Whether the text that a page brings along says what can be seen on it."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from ingest.parsers.pdf_geometry import Line

# Private use, unassigned, controls and halves of characters.
_JUNK_CATEGORIES = frozenset(("Co", "Cn", "Cc", "Cs"))
_REPLACEMENT = 0xFFFD
# The last two are what PDFium writes for a hyphen.
_SHOWN_CONTROLS = frozenset((0x09, 0x0A, 0x0D, 0x02, 0xFFFE))
# What programs write for a glyph whose letter they do not know.
_GLYPH_NUMBER = re.compile(r"\(cid:\d+\)|/[gGcC]\d{2,5}\b|/uni[0-9A-F]{4}\b")
_GLYPH_NUMBERS = re.compile(r"(?:\(cid:\d+\)\s*){2}")
_MOST_GLYPH_NUMBERS = 0.1

_COMMON = re.compile(
    r"\b(?:the|and|of|to|in|is|for|der|die|und|das|ist|mit|de|la|le|et|les|el|que|los|il|di|che|en|"
    r"van|het|een|och|att|som|na|je|se|do|nie|da|os)\b"
)
_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile(r"[!-~]+")
_SHIFTS = tuple(shift for shift in range(-31, 32) if shift)
_FEWEST_WORDS, _FEWEST_COMMON, _COMMON_SHARE = 20, 5, 0.12
_VOWEL = re.compile("[aeiouy]")
_MOSTLY_PLAIN = 0.97
_LONG_WORD, _FEWEST_LONG_WORDS, _MOST_VOWELLESS = 4, 12, 0.3

_WHOLE_WORD = re.compile(r"\W*(?:[^\W\d_]{2,}(?:[-'’.][^\W\d_]+)*|\d[\d.,:/%-]*|[aAI])\W*")  # noqa: RUF001 - apostrophe
_FEWEST_TOKENS, _GOOD_SHARE = 10, 0.6


@lru_cache(maxsize=4_096)
def is_unreadable(code: int) -> bool:
    """Whether the character stands for no letter or sign that anybody knows."""
    if code in _SHOWN_CONTROLS:
        return False
    return code == _REPLACEMENT or unicodedata.category(chr(code)) in _JUNK_CATEGORIES


def reads_as_language(text: str) -> bool:
    """Whether the text has as many of the commonest words as a text of a European language."""
    words = _WORD.findall(text)
    return len(words) >= _FEWEST_COMMON and _count_common(text) >= _COMMON_SHARE * len(words)


def is_gibberish(lines: Sequence[Line]) -> bool:
    """Whether the text reads as if its letters had been exchanged or numbered.

    Tables of codes and other languages do not: what speaks against a text is that it becomes one
    by shifting all its letters alike, or that its many long words in small letters have no vowels.
    """
    text = " ".join(line.text for line in lines)
    return _is_numbered(text) or _is_shifted(text) or _is_unpronounceable(text)


def is_poor(lines: Sequence[Line]) -> bool:
    """Whether a text that OCR has left on a scan is mostly no words."""
    tokens = [token for line in lines for token in line.text.split()]
    return len(tokens) >= _FEWEST_TOKENS and good_words(lines) < _GOOD_SHARE * len(tokens)


def good_words(lines: Sequence[Line]) -> int:
    """How many words and numbers the lines hold."""
    return sum(
        _WHOLE_WORD.fullmatch(token) is not None for line in lines for token in line.text.split()
    )


def _is_numbered(text: str) -> bool:
    numbers = sum(len(number) for number in _GLYPH_NUMBER.findall(text))
    return numbers > _MOST_GLYPH_NUMBERS * len(text) or _GLYPH_NUMBERS.search(text) is not None


def _is_shifted(text: str) -> bool:
    words = _ASCII_WORD.findall(text)
    if len(words) < _FEWEST_WORDS or sum(map(len, words)) < 0.8 * len(text.replace(" ", "")):
        return False
    needed = max(_COMMON_SHARE * len(words), _FEWEST_COMMON)
    if _count_common(text) > needed / 4:
        return False
    return any(_count_common(text.translate(table)) >= needed for table in _shift_tables())


def _count_common(text: str) -> int:
    return sum(1 for _ in _COMMON.finditer(text))


@lru_cache(maxsize=1)
def _shift_tables() -> tuple[dict[int, int], ...]:
    signs = range(0x21, 0x7F)
    return tuple(
        {code: code + shift if code + shift in signs else 0x20 for code in signs}
        for shift in _SHIFTS
    )


def _is_unpronounceable(text: str) -> bool:
    words = [word for word in _WORD.findall(text) if word.islower() and len(word) >= _LONG_WORD]
    # A text with accents has a spelling, and some such languages do with few vowels.
    plain = [word for word in words if word.isascii()]
    if len(plain) < max(_FEWEST_LONG_WORDS, _MOSTLY_PLAIN * len(words)):
        return False
    vowelless = sum(_VOWEL.search(word) is None for word in plain)
    return vowelless > _MOST_VOWELLESS * len(plain)
