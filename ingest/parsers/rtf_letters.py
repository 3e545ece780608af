"""Rich text with each letter by its number: the program that reads it knows no code pages."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    rb"\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]+)(?P<number>-?\d+)? ?|\\(?P<sign>.)"
    rb"|(?P<brace>[{}])|(?P<raw>[\x80-\xff]+)|(?P<text>[^\\{}\x80-\xff]+)",
    re.DOTALL,
)
# By the number of a font's set of characters; others are in the encoding of the document.
_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030",
    136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp850",
}  # fmt: skip
_WESTERN = "cp1252"
_WHOLE = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
_PAGES = {936: "gb18030", 10000: "mac_roman", 65001: "utf-8"}
_PLAIN = 0x80
# Written plainly, the reader would drop the letter behind it as well.
_STAND_IN = b"\\'3f"


def with_numbered_letters(content: bytes) -> bytes:
    """The same text; whatever is not ASCII is written as a number that means one letter."""
    return b"".join(_Writer(content).pieces())


class _Writer:
    """Follows the fonts of a text and what each stands for."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._page = _WESTERN
        self._fonts: dict[int, str] = {}
        self._font = 0
        # How many signs stand behind a numbered letter for readers that know no numbers.
        self._spare = 1
        self._outer: list[tuple[int, int]] = []
        self._skipped = 0
        self._letters = b""

    def pieces(self) -> Iterator[bytes]:
        """The text, piece by piece."""
        place = 0
        while (token := _TOKEN.match(self._content, place)) is not None:
            place = token.end()
            kind = str(token.lastgroup)
            if kind in {"byte", "raw"} and not self._skipped:
                self._letters += token["raw"] or bytes.fromhex(token["byte"].decode())
                continue
            yield self._numbered()
            self._follow(token)
            yield self._spared(token["text"]) if token["text"] else token[0]
            if token["word"] == b"bin" and token["number"]:
                # A picture as it is: nothing in it is text.
                end = place + max(0, int(token["number"]))
                yield self._content[place:end]
                place = end
        yield self._numbered()
        yield self._content[place:]

    def _follow(self, token: re.Match[bytes]) -> None:
        if token["brace"] == b"{":
            self._outer.append((self._font, self._spare))
        elif token["brace"] and self._outer:
            self._font, self._spare = self._outer.pop()
        elif token["word"]:
            self._follow_word(token["word"], int(token["number"] or 0))
        elif self._skipped and not token["text"]:
            self._skipped -= 1

    def _follow_word(self, word: bytes, number: int) -> None:
        if word == b"f":
            self._font = number
        elif word == b"u":
            self._skipped = self._spare
        elif word == b"uc":
            self._spare = max(0, number)
        elif word == b"fcharset" and number in _CHARSETS:
            self._fonts[self._font] = _CHARSETS[number]
        elif word == b"cpg":
            self._fonts[self._font] = _page(number)
        elif word == b"ansicpg":
            self._page = _page(number)
        elif word in _WHOLE:
            self._page = _WHOLE[word]

    def _spared(self, text: bytes) -> bytes:
        """The text, the signs at its start that only stand for a numbered letter as such."""
        number = min(self._skipped, len(text))
        self._skipped -= number
        return _STAND_IN * number + text[number:]

    def _numbered(self) -> bytes:
        letters, self._letters = self._letters, b""
        if not letters:
            return b""
        text = letters.decode(self._fonts.get(self._font, self._page), errors="replace")
        numbered = b"".join(map(_number, text))
        return numbered if self._spare == 1 else b"\\uc1 %b\\uc%d " % (numbered, self._spare)


def _page(number: int) -> str:
    name = _PAGES.get(number, f"cp{number}")
    try:
        b"".decode(name)
    except LookupError:
        return _WESTERN
    return name


def _number(letter: str) -> bytes:
    if ord(letter) < _PLAIN:
        return b"\\'%02x" % ord(letter)
    units = letter.encode("utf-16-le")
    pairs = (
        int.from_bytes(units[at : at + 2], "little", signed=True) for at in (0, 2) if units[at:]
    )
    return b"".join(b"\\u%d%b" % (unit, _STAND_IN) for unit in pairs)
