"""From bytes to text when nobody says which encoding they are in."""

import re

from ingest.domain.media_types import byte_order_mark, unmarked_utf16

_SAMPLE_BYTES = 65_536
_WESTERN = "cp1252"
_MEANT_AS_WESTERN = frozenset(("iso-8859-1", "latin-1", "latin1", "ascii", "us-ascii"))
# More foreign letters than this, and the language is not written with accents on Latin letters.
_MOST_ACCENTS = 0.3
_SIGN_INSIDE_WORD = re.compile(r"[^\W\d_][¡-¿]+[^\W\d_]")


def decode_text(content: bytes) -> str:
    """The text of a file: byte order mark, UTF-8, UTF-16 by its NULs, then the likeliest guess.

    What the guess cannot read becomes U+FFFD, so a text is never lost as a whole.
    """
    return content.decode(encoding_of(content), errors="replace").removeprefix("\ufeff")


def decode_lines(content: bytes) -> str:
    """The same with lines that end with a line feed alone, whichever system wrote them."""
    return decode_text(content).replace("\r\n", "\n").replace("\r", "\n")


def decode_stated(content: bytes, encoding: str) -> str:
    """The text in the encoding that its sender states, or as for any text if that does not fit."""
    # Who says Latin-1 or ASCII means Windows' Western encoding, as in all browsers.
    is_western = encoding.lower() in _MEANT_AS_WESTERN
    try:
        return content.decode(_WESTERN if is_western else encoding)
    except (LookupError, UnicodeDecodeError):
        return decode_text(content)


def encoding_of(content: bytes) -> str:
    """The encoding that a text without a stated one is most likely in."""
    mark = byte_order_mark(content)
    if mark is not None:
        return mark[1]
    wide = unmarked_utf16(content[:_SAMPLE_BYTES])
    if wide is not None:
        return wide
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _WESTERN if _reads_as_western(content[:_SAMPLE_BYTES]) else _guessed(content)
    return "utf-8"


def _reads_as_western(sample: bytes) -> bool:
    """Whether the text makes sense in Windows' Western encoding.

    Statistics confuse it with its Central European sister on short texts, so rules decide first.
    """
    try:
        text = sample.decode(_WESTERN)
    except UnicodeDecodeError:
        return False
    letters = sum(character.isalpha() for character in text)
    accents = sum(character > "\x7f" and character.isalpha() for character in text)
    return accents <= _MOST_ACCENTS * letters and _SIGN_INSIDE_WORD.search(text) is None


def _guessed(content: bytes) -> str:
    # Imported late: most texts are UTF-8 and never need it.
    from charset_normalizer import from_bytes

    best = from_bytes(content[:_SAMPLE_BYTES]).best()
    return _WESTERN if best is None else best.encoding
