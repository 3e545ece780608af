"""How long a text is for an embedder, which reads tokens and not characters."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, takewhile

# Han, Kana and Hangul with their punctuation and full-width forms, and pictographs: a token each,
# where a token holds about four Latin letters.
_WIDE = (
    "\u1100-\u11ff\u2e80-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff"
)
# Thai, Lao, Burmese and Khmer put no blanks between words, and two letters make a token.
_MIDDLING = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_WIDE_WIDTH = 4
_MIDDLING_WIDTH = 2
_NOT_NARROW = re.compile(f"[{_MIDDLING}{_WIDE}]")
_WIDE_RUN = re.compile(f"[{_WIDE}]+")
_MIDDLING_RUN = re.compile(f"[{_MIDDLING}]+")
_BELONGS_TO_THE_ONE_BEFORE = frozenset(("Mn", "Mc", "Me", "Cf"))


def length_of(text: str) -> int:
    """The length of a text in letters of the Latin script.

    Units: a Chinese, Japanese or Korean character counts as four, a Thai one as two, any other as
    one; so 1,000 are about 256 tokens in every script.
    """
    if text.isascii() or _NOT_NARROW.search(text) is None:
        return len(text)
    rest = _WIDE_RUN.sub("", text)
    wide = len(text) - len(rest)
    middling = len(rest) - len(_MIDDLING_RUN.sub("", rest))
    return len(text) + wide * (_WIDE_WIDTH - 1) + middling * (_MIDDLING_WIDTH - 1)


def end_within(text: str, start: int, limit: int) -> int:
    """Where the longest part from `start` on ends that is no longer than `limit`.

    It holds one character at least, and no mark is parted from the letter that it stands on.
    """
    window = text[start : start + limit]
    end = start + len(window)
    if length_of(window) > limit:
        end = start + max(1, _count_within(window, limit))
    while start + 1 < end < len(text) and _belongs_to_the_one_before(text[end]):
        end -= 1
    return end


def start_within(text: str, limit: int) -> int:
    """Where the longest part up to the end starts that is no longer than `limit`."""
    window = text[-limit:] if limit else ""
    if length_of(window) > limit:
        return len(text) - _count_within(reversed(window), limit)
    return len(text) - len(window)


def _count_within(characters: Iterable[str], limit: int) -> int:
    lengths = accumulate(map(_width, characters))
    return sum(1 for _ in takewhile(lambda length: length <= limit, lengths))


@lru_cache(maxsize=8_192)
def _width(character: str) -> int:
    return length_of(character)


def _belongs_to_the_one_before(character: str) -> bool:
    return unicodedata.category(character) in _BELONGS_TO_THE_ONE_BEFORE
