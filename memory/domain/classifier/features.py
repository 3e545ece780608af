"""What the classifier sees of a passage: parts of words, words, and what the rules found."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

BUCKETS = 1 << 16
# Values are whole numbers, so that sums are the same on every machine and in any order.
ONE = 256
MOST_CHARACTERS = 600

_TOKEN = re.compile(
    r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+|[^\W\d_]+(?:['\u2019][^\W\d_]+)?"
    r"|\d[\d.,:/-]*|[^\w\s]"
)
_ENDS = frozenset(".!?\u3002\uff01\uff1f")
_WIDE = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_NUMBER, _NAME, _EDGE = "<0>", "<N>", "|"
_CHARACTERS, _WORDS, _MARK, _RULING, _AROUND = "c:", "w:", "m:", "r:", "a:"
_SHORTEST, _LONGEST = 2, 4
_LONGEST_WIDE = 3
_LONG_WORD = 24


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage to judge: its words and marks, what the rules say, and the words around it."""

    text: str
    marks: tuple[str, ...] = ()
    ruling: tuple[str, ...] = ()
    around: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A passage as numbers: the places of its features, each once, and their values.

    `ruled` are the places of what the rules say.
    """

    places: npt.NDArray[np.int32]
    values: npt.NDArray[np.int32]
    ruled: npt.NDArray[np.int32]


def row_of(passage: Passage) -> Row:
    """The features of a passage; any text has some, and equal texts have equal ones."""
    tokens = _tokens(passage.text)
    sums: dict[int, int] = {}
    _add(sums, [place for token, _ in tokens for place in _parts(token)], ONE)
    _add(sums, list(_phrases(tokens)), ONE)
    ruled = [_place(_RULING + each) for each in passage.ruling]
    _add(sums, [_place(_MARK + each) for each in passage.marks], ONE // 2)
    _add(sums, ruled, ONE)
    _add(sums, [_place(_AROUND + each) for each in _words(passage.around)], ONE // 2)
    places = sorted(sums)
    return Row(
        np.array(places, dtype=np.int32),
        np.array([sums[place] for place in places], dtype=np.int32),
        np.array(ruled, dtype=np.int32),
    )


def _add(sums: dict[int, int], places: Sequence[int], weight: int) -> None:
    """Share one weight among the features of a family, so that long passages are not louder."""
    if not places:
        return
    value = max(1, round(weight / len(set(places)) ** 0.5))
    for place in set(places):
        sums[place] = sums.get(place, 0) + value


def _tokens(text: str) -> list[tuple[str, bool]]:
    """The tokens in small letters, digits as one sign, and whether each is written as a name."""
    folded = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS])
    tokens: list[tuple[str, bool]] = []
    is_start = True
    for word in _TOKEN.findall(folded):
        if word[0].isdigit():
            tokens.append((_NUMBER, False))
        else:
            tokens.append((word.casefold(), word[0].isupper() and not is_start))
        is_start = word in _ENDS
    return tokens


def _parts(token: str) -> Iterable[int]:
    """Parts of one token, the edges of a word among them."""
    if _WIDE.match(token):
        return [_place(_CHARACTERS + part) for part in _grams(token, 1, _LONGEST_WIDE)]
    return _remembered_parts(token) if len(token) <= _LONG_WORD else _parts_of_word(token)


def _parts_of_word(word: str) -> tuple[int, ...]:
    parts = _grams(f"{_EDGE}{word}{_EDGE}", _SHORTEST, _LONGEST)
    return tuple(_place(_CHARACTERS + part) for part in parts)


_remembered_parts = lru_cache(maxsize=20_000)(_parts_of_word)


def _grams(text: str, shortest: int, longest: int) -> Iterator[str]:
    for length in range(shortest, min(longest, len(text)) + 1):
        for start in range(len(text) - length + 1):
            yield text[start : start + length]


def _phrases(tokens: Iterable[tuple[str, bool]]) -> Iterator[int]:
    """Words and pairs of words; a name also stands for any name."""
    before = _EDGE
    for token, is_name in tokens:
        if _WIDE.match(token):
            before = token[-1]
            continue
        yield _place(f"{_WORDS}{token}")
        yield _place(f"{_WORDS}{before} {token}")
        if is_name:
            yield _place(f"{_WORDS}{before} {_NAME}")
        before = token
    yield _place(f"{_WORDS}{before} {_EDGE}")


def _words(text: str) -> Iterator[str]:
    """Words alone, of a script without spaces single signs and pairs."""
    for token, _ in _tokens(text):
        if _WIDE.match(token):
            yield from _grams(token, 1, 2)
        else:
            yield token


def _place(feature: str) -> int:
    return crc32(feature.encode("utf-8", "replace")) % BUCKETS
