"""Words broken at the end of a line, made whole: the other words of the document tell how."""

import re
from collections.abc import Iterable

# How hyphens that break a word are written; some of them are never seen elsewhere.
HYPHENS = "-\N{HYPHEN}\N{SOFT HYPHEN}"
_SOFT = "\N{SOFT HYPHEN}"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(rf"(?:([^\W_]+)([{HYPHENS}])|{_SOFT})$")
_FIRST = re.compile(r"[^\W_]+")
# What stands before a hyphen that belongs to the word.
_FIRST_PARTS = frozenset(
    ("self", "well", "ill", "half", "all", "ex", "cross", "long", "short", "high", "low")
)
# After these a hyphen stands for a word that is left out: “short- and long-term”.
_CONJUNCTIONS = frozenset(("and", "or", "to", "und", "oder", "bzw", "et", "ou", "y"))
_LONG_PART = 4
_LONGEST_WORD = 80


class Vocabulary:
    """All words of a document that are not broken."""

    def __init__(self, pages: Iterable[Iterable[str]]) -> None:
        self._pages = pages
        self._words: frozenset[str] | None = None

    def joint(self, above: str, below: str) -> str | None:
        """What of a broken word's end is kept before the line below, "-", "- " or "".

        None if the line above ends with no broken word.
        """
        if above[-1:] not in HYPHENS:
            return None
        broken, follows = _BROKEN.search(above[-_LONGEST_WORD:]), _FIRST.match(below)
        if broken is None or follows is None:
            return None
        if above.endswith(_SOFT):
            return ""
        return self._hyphen(broken.group(1), follows.group())

    def _hyphen(self, first: str, second: str) -> str:
        if second in _CONJUNCTIONS:
            return "- "
        if not second[0].islower() or first[-1].isdigit():
            return "-"
        return "-" if self._is_compound(first.casefold(), second.casefold()) else ""

    def _is_compound(self, first: str, second: str) -> bool:
        words = self._known()
        if first + second in words:
            return False
        if f"{first}-{second}" in words or len(first) == 1 or first in _FIRST_PARTS:
            return True
        # Two words that stand alone elsewhere, and never as one.
        return min(len(first), len(second)) >= _LONG_PART and {first, second} <= words

    def _known(self) -> frozenset[str]:
        if self._words is None:
            self._words = frozenset(_whole_words(self._pages))
        return self._words


def without_hyphen(text: str) -> str:
    """The line without the hyphen that it ends with."""
    return text.rstrip(HYPHENS)


def _whole_words(pages: Iterable[Iterable[str]]) -> Iterable[str]:
    for page in pages:
        is_second_part = False
        for line in page:
            words = _WORD.findall(line.casefold())
            is_broken = line[-1:] in HYPHENS
            # Neither half of a broken word is a word.
            yield from words[is_second_part : len(words) - is_broken]
            is_second_part = is_broken
