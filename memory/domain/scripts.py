"""Which script a text is written in, told by its letters alone."""

import unicodedata

# Latin letters with all their accents end here; what NFKC leaves of Latin above is rare.
_LAST_LATIN = 0x024F
_ALSO_LATIN = (range(0x1D00, 0x1DC0), range(0x1E00, 0x1F00), range(0x2C60, 0x2C80))
_MOSTLY = 0.5


def is_mostly_latin(text: str) -> bool:
    """Whether at least half of the letters are Latin; a text without letters counts as Latin."""
    if text.isascii():
        return True
    letters = [ord(each) for each in unicodedata.normalize("NFKC", text) if each.isalpha()]
    return sum(map(_is_latin, letters)) >= _MOSTLY * len(letters)


def _is_latin(code: int) -> bool:
    return code <= _LAST_LATIN or any(code in block for block in _ALSO_LATIN)
