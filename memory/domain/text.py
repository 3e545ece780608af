"""Text on entry: what is stored, what is searched, what is compared and what is shown."""

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TAG_CHARACTERS, MAX_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

_REPLACEMENT = "\ufffd"
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Carriage return, vertical tab and form feed end a line: dropping them would join two lines.
# By one class first, which is found far sooner than one of two things.
_LINE_ENDS = re.compile("[\r\v\f](?:(?<=\r)\n)?")
_REMOVED_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f]+")
_ZERO_WIDTH = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]+")
_BIDI_CONTROLS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_INVISIBLE_CATEGORIES = frozenset(("Cc", "Cf"))
_FINAL_MARKS = ".!。！"  # noqa: RUF001 - the full-width mark is meant


def clean_text(text: str) -> str:
    """The form that is stored: NFC, LF line ends, no C0 control but tab and newline, valid UTF-8.

    Bidirectional controls and zero-width characters stay: they are part of what was said.
    """
    text = _LINE_ENDS.sub("\n", _REMOVED_CONTROLS.sub("", text))
    if text.isascii():
        return text
    text = _SURROGATE_PAIR.sub(_joined_pair, text)
    text = _SURROGATE.sub(_REPLACEMENT, text)
    return unicodedata.normalize("NFC", text)


def require_text(text: str, *, field: str, limit: int) -> str:
    """The cleaned text, sure to show something and to hold at most `limit` characters.

    Raises: InvalidInput if it is blank, invisible or longer than the limit.
    """
    cleaned = clean_text(text)
    if is_blank(cleaned):
        raise InvalidInput(f"The field “{field}” is blank; it must hold some text.", field=field)
    if len(cleaned) > limit:
        raise InvalidInput(
            f"The field “{field}” has {len(cleaned):,} characters; the limit is {limit:,}.",
            field=field,
        )
    return cleaned


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen: only white space, controls and zero-width marks."""
    return all(
        character.isspace() or unicodedata.category(character) in _INVISIBLE_CATEGORIES
        for character in text
    )


def search_text(text: str) -> str:
    """The form that is indexed and searched: NFKC without zero-width characters."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _ZERO_WIDTH.sub("", text))


def content_hash(text: str) -> bytes:
    """SHA-256 of the words alone: case, spacing, width and a final full stop do not count.

    Shape: 32 bytes.
    """
    # Casefolding can break the normal form, so it is restored before hashing.
    folded = search_text(search_text(clean_text(text)).casefold())
    folded = " ".join(folded.split())
    words = folded.rstrip(_FINAL_MARKS + " ") or folded
    return hashlib.sha256(words.encode()).digest()


def clean_tags(tags: "Sequence[str]") -> list[str]:
    """The tags cleaned, without blanks and repetitions, in their order.

    Raises: InvalidInput if there are more than 32, or one is longer than 64 characters.
    """
    cleaned = (" ".join(clean_text(tag).split()) for tag in tags)
    kept = list(dict.fromkeys(tag for tag in cleaned if not is_blank(tag)))
    if len(kept) > MAX_TAGS:
        raise InvalidInput(
            f"There are {len(kept):,} tags; the limit is {MAX_TAGS} different ones.", field="tags"
        )
    longest = max(map(len, kept), default=0)
    if longest > MAX_TAG_CHARACTERS:
        raise InvalidInput(
            f"A tag has {longest:,} characters; the limit is {MAX_TAG_CHARACTERS}.", field="tags"
        )
    return kept


def display_text(text: str) -> str:
    """The form for pages: no control that could reorder the text around it."""
    return text.translate(_BIDI_CONTROLS)


def _joined_pair(match: re.Match[str]) -> str:
    return match.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")
