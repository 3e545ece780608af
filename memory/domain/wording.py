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


def _any_of(*names: str) -> re.Pattern[str]:
    """One of these words, the longest first: in Chinese they do not stand apart."""
    words = sorted(frozenset[str]().union(*map(_words_named, names)), key=len, reverse=True)
    return re.compile("|".join(words))


_SIGNS = _any_of("stop_signs", "deny_not", "deny_words", "deny_signs")
_WORDS_OF_SIGNS = _words_named("deny_not")
_DENYING = _words_named("deny_signs") | _words_named("deny_words")
_VERBS = _words_named("verbs")
_VERB_SIGNS = re.compile(f"[{''.join(_words_named('verb_signs'))}]")
_BEFORE_NUMBERS = _words_named("names")
# A Chinese character or a Korean syllable may be a whole word.
_WORD_OF_ONE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3]")
_VERB_OR_SIGN = _words_named("verb_signs") | _words_named("stop_signs") | _DENYING


@dataclass(frozen=True, slots=True)
class Wording:
    """What a sentence is about.

    Shape: `words` are folded content words, in Chinese and Japanese each pair of characters;
        `named` are those of the numbers that tell which thing it is about: "ticket 123 is closed".
    """

    words: frozenset[str]
    numbers: tuple[str, ...]
    denies: bool
    named: tuple[str, ...] = ()

    def is_of_another(self, other: "Wording") -> bool:
        """Whether a number says that they are about different things."""
        return _lacks(self.named, other.numbers) or _lacks(other.named, self.numbers)


def folded(text: str) -> str:
    """The form that names and values are compared in, without case, spacing, width and edges."""
    lowered = unicodedata.normalize("NFKC", search_text(text)).casefold()
    return " ".join(lowered.split()).strip(_EDGES)


def wording_of(text: str) -> Wording:
    """What the sentence is about, by its words alone."""
    lowered = folded(text).replace("’", "'")  # noqa: RUF001 - the typographic apostrophe
    found = _WORD.findall(lowered)
    words = {_stem(word) for word in found if len(word) > 1 and word not in STOP_WORDS | DENIALS}
    left, denies = _without_signs(lowered)
    pairs = {pair for run in _CJK_RUN.findall(left) for pair in _pairs(run)}
    return Wording(
        words=frozenset(word for word in words | pairs if not word.endswith("n't")),
        numbers=tuple(_NUMBER.findall(lowered)),
        denies=denies or _denies(found),
        named=_named(lowered),
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


def is_common(words: str) -> bool:
    """Whether these words stand in most sentences: one letter, or nothing but little words."""
    plain = folded(words)
    if len(plain) == 1:
        return not _WORD_OF_ONE.fullmatch(plain) or plain in _VERB_OR_SIGN
    left = _SIGNS.sub("", plain) if not is_segmented(plain) else plain
    return all(word in STOP_WORDS | DENIALS for word in left.split())


def is_segmented(text: str) -> bool:
    """Whether words stand apart in the text, so that an index can find each of them."""
    return _CJK_RUN.search(text) is None


def _lacks(named: tuple[str, ...], numbers: tuple[str, ...]) -> bool:
    return bool(numbers) and not set(named) <= set(numbers)


def _named(lowered: str) -> tuple[str, ...]:
    """The numbers before what is said of a thing; without a verb, those behind its noun."""
    if not _NUMBER.search(lowered):
        return ()
    words = list(_WORD.finditer(lowered))
    verbs = [word.start() for word in words if word[0] in _VERBS]
    sign = _VERB_SIGNS.search(lowered)
    verbs += [sign.start()] if sign else []
    if verbs:
        return tuple(_NUMBER.findall(lowered[: min(verbs)]))
    first = next((word for word in words if word[0] not in STOP_WORDS), None)
    if first is None or first[0] not in _BEFORE_NUMBERS:
        return ()
    behind = _NUMBER.match(lowered[first.end() :].lstrip(" #-.:"))
    return (behind[0],) if behind else ()


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


def _denies(words: list[str]) -> bool:
    return any(word in DENIALS or word.endswith("n't") for word in words)


def _without_signs(lowered: str) -> tuple[str, bool]:
    """The text without signs that say nothing of its subject, and whether one of them denies."""
    if is_segmented(lowered):
        return lowered, False
    found = set(_SIGNS.findall(lowered))
    left = _SIGNS.sub(lambda sign: sign[0] if sign[0] in _WORDS_OF_SIGNS else " ", lowered)
    return left, bool(found & _DENYING)
