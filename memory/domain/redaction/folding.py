"""Texts as the rules see them: without regard to case and width, and not a character longer."""

import re

_OF_ANOTHER_FORM = re.compile("[\u0130\u0131\u017f\u212a\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_TABLE: dict[int, int | str] = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k", **_WIDE}


def folded(text: str) -> str:
    """The text in small letters; each character is where it was.

    Both of Turkish's other i, a long s and letters of full width are plain ones.
    """
    if not text.isascii() and _OF_ANOTHER_FORM.search(text):
        text = text.translate(_TABLE)
    return text.lower()
