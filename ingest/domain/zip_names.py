"""Names inside a zip, which often states no encoding for them."""

import unicodedata
from collections.abc import Sequence

# The first that scores best wins; the last one takes any bytes.
_ENCODINGS = ("utf-8", "cp932", "gb18030", "cp437", "cp1252", "cp866", "cp1251")
_WRITERS_OWN = "cp437"
_LATIN_END = 0x24F
_KANA, _HAN = range(0x3041, 0x3100), range(0x4E00, 0xA000)
_RUSSIAN = frozenset((*range(0x410, 0x450), 0x401, 0x451))


def guess_encoding(names: Sequence[bytes]) -> str:
    """The encoding in which these names read most like words; one program wrote them all."""
    joined = b"\n".join(name for name in names if not name.isascii())
    if not joined:
        return _WRITERS_OWN
    return max(_ENCODINGS, key=lambda encoding: _likeness(joined, encoding))


def _likeness(content: bytes, encoding: str) -> float:
    """How much of the text are letters of a script that fits its neighbors; -1 if none can be."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return -1.0
    if encoding == "utf-8":
        return 2.0
    foreign = [place for place, character in enumerate(text) if not character.isascii()]
    good = sum(_fits(text, place) for place in foreign)
    return good / len(foreign)


def _fits(text: str, place: int) -> bool:
    code, beside = ord(text[place]), _beside(text, place)
    is_by_latin = any(each.isascii() and each.isalpha() for each in beside)
    if code in _KANA:
        return True
    if code in _HAN:
        # Alone in a Latin word, it is a Latin letter with an accent that was misread.
        return not is_by_latin or any(ord(each) in _HAN for each in beside)
    if code in _RUSSIAN:
        return not is_by_latin
    is_letter = unicodedata.category(text[place]) in {"Ll", "Lu"}
    # Such a letter stands in a Latin word; in the bytes of another script they come in heaps.
    return code <= _LATIN_END and is_letter and is_by_latin


def _beside(text: str, place: int) -> list[str]:
    return [text[each] for each in (place - 1, place + 1) if 0 <= each < len(text)]
