"""From bytes to text when nobody says which encoding they are in."""

from ingest.domain.media_types import byte_order_mark, unmarked_wide
from ingest.parsers.guesses import is_escaped_japanese, likeliest_encoding

_SAMPLE_BYTES = 65_536
_WESTERN = "cp1252"
# This many sound letters for each broken one.
_MOST_BROKEN = 4
_WIDE = ("utf16", "utf32", "ucs2", "ucs4")
_MEANT_AS_WESTERN = frozenset(("iso-8859-1", "latin-1", "latin1", "ascii", "us-ascii"))


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


def decode_declared(content: bytes, encoding: str) -> str:
    """The text in the encoding that a page declares, unless its bytes say otherwise.

    Pages keep their declaration when a server or an editor writes them anew in UTF-8; and who
    can read a declaration of a wide encoding letter by letter is not in one.
    """
    if encoding.lower().replace("-", "").startswith(_WIDE) or _reads_as_utf8(content):
        return decode_text(content)
    return decode_stated(content, encoding)


def _reads_as_utf8(content: bytes) -> bool:
    """Whether the bytes are UTF-8 and more than ASCII: hardly a text of another encoding is."""
    try:
        return len(content.decode("utf-8")) < len(content)
    except UnicodeDecodeError:
        return False


def encoding_of(content: bytes) -> str:
    """The encoding that a text without a stated one is most likely in."""
    mark = byte_order_mark(content)
    if mark is not None:
        return mark[1]
    wide = unmarked_wide(content[:_SAMPLE_BYTES])
    if wide is not None:
        return wide
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        sample = _sample(content)
        if _is_broken_utf8(sample):
            return "utf-8"
        return likeliest_encoding(sample) or _rarer_encoding(sample)
    return "iso2022_jp" if is_escaped_japanese(content) else "utf-8"


def _is_broken_utf8(sample: bytes) -> bool:
    """Whether most that is not ASCII reads as UTF-8: a text that was cut, or one bad byte in it."""
    text = sample.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    return sum(character > "\x7f" for character in text) - broken > _MOST_BROKEN * broken


def _rarer_encoding(sample: bytes) -> str:
    # Imported late: hardly a text ever needs it.
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return _WESTERN if best is None else best.encoding


def _sample(content: bytes) -> bytes:
    """The start of a text, to the end of a line; a text may be plain for long before it tells."""
    first = next((at for at in range(0, len(content), _SAMPLE_BYTES)
                  if not content[at : at + _SAMPLE_BYTES].isascii()), 0)  # fmt: skip
    sample = content[first : first + _SAMPLE_BYTES]
    is_cut = first + _SAMPLE_BYTES < len(content)
    return (sample[: sample.rfind(b"\n") + 1] or sample) if is_cut else sample
