"""One pattern of a data file, and the two forms of a text that patterns read."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Finder: TypeAlias = "Callable[[str], re.Match[str] | None]"

_STRAIGHT_QUOTES = (("‘", "'"), ("’", "'"), ("“", '"'), ("”", '"'))  # noqa: RUF001 - meant


@dataclass(slots=True)
class Folded:
    """A text in the two forms patterns read; offsets are those of the text itself.

    Not frozen, for there is one for every stretch, and to make a frozen one takes far longer.
    """

    cased: str
    lowered: str

    def part(self, start: int, end: int) -> "Folded":
        """The forms of a stretch of the text."""
        return Folded(self.cased[start:end], self.lowered[start:end])


def fold(text: str) -> Folded:
    """The text with straight quotes, as written and in lower case, character for character."""
    cased = text
    for curly, straight in _STRAIGHT_QUOTES:
        cased = cased.replace(curly, straight)
    lowered = cased.lower()
    if len(lowered) != len(cased):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in cased)
    return Folded(cased, lowered)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One entry of a data file; it matches only where one of its cues occurs, if it names any.

    Where `unless` matches it does not. `need` holds a bit for each set of words of which one must
    occur, and `rarest` the bit of the one that occurs the least, see `prefilter`; `parts` holds the
    alternatives that can match at the start only and the others apart, each in the form that is
    tried the soonest, see `openings`.
    """

    id: str
    source: str
    cues: tuple[str, ...]
    confidence: float
    reason: str
    keeps_case: bool
    survives_question: bool
    parts: tuple[tuple[str, bool], ...]
    need: int
    rarest: int
    unless: "Pattern | None" = None
    _finders: "tuple[Finder, ...]" = field(default=(), init=False, repr=False, compare=False)
    _regex: re.Pattern[str] | None = field(default=None, init=False, repr=False, compare=False)

    def search(self, text: Folded) -> re.Match[str] | None:
        """The first match in the text."""
        if self.cues and not any(cue in text.lowered for cue in self.cues):
            return None
        return self.find(text)

    def find(self, text: Folded, cues: int = -1) -> re.Match[str] | None:
        """The first match in a text that is known to hold what the pattern needs.

        `cues` are those of the text, all of them where they are not known.
        """
        line = text.cased if self.keeps_case else text.lowered
        for find in self._finders or self._compiled():
            match = find(line)
            if match is not None:
                return None if self._is_barred(text, cues) else match
        return None

    def _is_barred(self, text: Folded, cues: int) -> bool:
        bar = self.unless
        return bar is not None and bar.may_match(cues) and bar.find(text) is not None

    def may_match(self, cues: int) -> bool:
        """Whether a text with these cues holds all that the pattern needs."""
        return self.need & cues == self.need

    def find_all(self, text: Folded) -> list[re.Match[str]]:
        """Every match, in order."""
        line = text.cased if self.keeps_case else text.lowered
        # Where the first one is, if there is any, the parts tell sooner.
        found = [find(line) for find in self._finders or self._compiled()]
        starts = [match.start() for match in found if match]
        return list((self._regex or self._whole()).finditer(line, min(starts))) if starts else []

    def _compiled(self) -> "tuple[Finder, ...]":
        # Most patterns are never tried in a short-lived process, and compiling all takes seconds.
        regexes = [(re.compile(source), is_anchored) for source, is_anchored in self.parts]
        finders = tuple(each.match if is_anchored else each.search for each, is_anchored in regexes)
        object.__setattr__(self, "_finders", finders)
        return finders

    def _whole(self) -> re.Pattern[str]:
        regex = re.compile(self.source)
        object.__setattr__(self, "_regex", regex)
        return regex
