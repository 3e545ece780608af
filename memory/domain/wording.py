"""What two sentences have in common: their content words, numbers, and whether they deny."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from memory.domain.text import search_text

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(rf"(?:(?![{_CJK}])[^\W\d_])+(?:['’](?:(?![{_CJK}])[^\W\d_])+)*")  # noqa: RUF001 - both apostrophes
_EDGES = " \t\n.,;:!?\"'()[]。，；：！？、“”「」"  # noqa: RUF001 - full-width marks stand at edges too


def _words_named(name: str) -> frozenset[str]:
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return frozenset(word for each in tables.values() for word in each.get(name, "").split())


STOP_WORDS = _words_named("stop")
DENIALS = _words_named("deny")
KEYS_OF_MANY = _words_named("many")
WORDS_FOR_ONE = _words_named("one")
_DENYING_SIGNS = _words_named("deny_signs")


@dataclass(frozen=True, slots=True)
class Wording:
    """What a sentence is about.

    Shape: `words` are folded content words, in Chinese and Japanese each pair of characters.
    """

    words: frozenset[str]
    numbers: tuple[str, ...]
    denies: bool


def folded(text: str) -> str:
    """The form that names and values are compared in, without case, spacing, width and edges."""
    lowered = unicodedata.normalize("NFKC", search_text(text)).casefold()
    return " ".join(lowered.split()).strip(_EDGES)


def wording_of(text: str) -> Wording:
    """What the sentence is about, by its words alone."""
    lowered = folded(text).replace("’", "'")  # noqa: RUF001 - the typographic apostrophe
    found = _WORD.findall(lowered)
    words = {_stem(word) for word in found if len(word) > 1 and word not in STOP_WORDS | DENIALS}
    pairs = {pair for run in _CJK_RUN.findall(lowered) for pair in _pairs(run)}
    return Wording(
        words=frozenset(word for word in words | pairs if not word.endswith("n't")),
        numbers=tuple(_NUMBER.findall(lowered)),
        denies=_denies(found, lowered),
    )


def holds(text: str, words: str) -> bool:
    """Whether these words stand in the text, as words of their own."""
    wanted, where = folded(words), folded(text)
    if not wanted:
        return False
    start = where.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not (_joins(where[start - 1 : start], wanted[0]) or _joins(wanted[-1], where[end:][:1])):
            return True
        start = where.find(wanted, start + 1)
    return False


def is_segmented(text: str) -> bool:
    """Whether words stand apart in the text, so that an index can find each of them."""
    return _CJK_RUN.search(text) is None


def _joins(left: str, right: str) -> bool:
    """Whether two neighbors belong to one word; Chinese and Japanese words do not stand apart."""
    if not left or not right or _CJK_RUN.match(left) or _CJK_RUN.match(right):
        return False
    return left.isalnum() and right.isalnum()


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _denies(words: list[str], lowered: str) -> bool:
    if any(word in DENIALS or word.endswith("n't") for word in words):
        return True
    return any(sign in lowered for sign in _DENYING_SIGNS)
