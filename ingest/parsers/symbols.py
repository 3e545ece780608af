"""Signs that office programs draw with a font of pictures, as the characters they show."""

from collections.abc import Iterable

_GREEK: Iterable[tuple[int, str]] = zip(
    (*range(0x41, 0x5B), *range(0x61, 0x7B)),
    "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
    strict=True,
)
_SYMBOL: dict[int, str] = {
    **dict(_GREEK),
    0x22: "∀", 0x24: "∃", 0x2D: "−", 0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAC: "←",  # noqa: RUF001
    0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×",  # noqa: RUF001
    0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC7: "∩", 0xC8: "∪",  # noqa: RUF001
    0xCE: "∈", 0xCF: "∉", 0xD1: "∇", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xDB: "⇔", 0xDE: "⇒",
    0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {
    0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x76: "❖",
    0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑",
    0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x52: "☑", 0x53: "☒", 0xA3: "☐"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}
# Where such fonts keep their signs: an area that means nothing by itself.
_PRIVATE = 0xF000


def shown_sign(font: str, code: int) -> str:
    """The character that the font shows for the code; "" if nobody can tell."""
    own = code - _PRIVATE if code >= _PRIVATE else code
    known = _FONTS.get(font.lower())
    if known is not None:
        return known.get(own, chr(own) if known is _SYMBOL and 0x20 <= own < 0x7F else "")
    return "" if code >= _PRIVATE else chr(code)
