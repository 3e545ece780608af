"""One pass over a text that tells which patterns are worth trying where."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar, cast

import ahocorasick

from memory.domain.perceptor.literals import CAPITAL, DIGIT, Words, rarity, spaced
from memory.domain.perceptor.patterns import Folded, Pattern


class _HasPattern(Protocol):
    @property
    def pattern(self) -> Pattern:
        """The pattern that decides."""


_E = TypeVar("_E", bound="Pattern | _HasPattern")
_A_DIGIT = re.compile(r"\d")
_A_WORD = re.compile(r"\w")


@dataclass(slots=True)
class CueSets:
    """The sets of words that patterns need, each with a bit of its own; equal sets share it."""

    _bits: dict[Words, int] = field(default_factory=dict)

    def need(self, sets: Iterable[Words]) -> tuple[int, int]:
        """The bits of these sets, and the bit of the one that rules out the most texts."""
        bits = {self._bits.setdefault(words, 1 << len(self._bits)): rarity(words) for words in sets}
        return sum(bits), max(bits, key=bits.__getitem__, default=0)

    def all_bits(self) -> int:
        """The bits of every set so far."""
        return (1 << len(self._bits)) - 1

    def words(self) -> dict[str, int]:
        """Every word with the bits of the sets that it belongs to."""
        bits: dict[str, int] = {}
        for words, bit in self._bits.items():
            for word in words:
                bits[word] = bits.get(word, 0) | bit
        return bits


class Sections:
    """All sections of a language, sifted at once: a passage is asked for most of them."""

    def __init__(self) -> None:
        self._rarest = 0
        self._by_rarest: dict[int, list[tuple[int, int, int, object]]] = {}
        self._free: list[list[tuple[int, object]]] = []
        self._always: list[list[object]] = []

    def add(self, patterns: Iterable[tuple[Pattern, object]]) -> int:
        """The place of a section of entries, each with its pattern."""
        place = len(self._always)
        free: list[tuple[int, object]] = []
        for order, (pattern, entry) in enumerate(patterns):
            if pattern.need:
                same = self._by_rarest.setdefault(pattern.rarest, [])
                same.append((place, order, pattern.need, entry))
            else:
                free.append((order, entry))
        self._rarest = sum(self._by_rarest)
        self._free.append(free)
        self._always.append([entry for _, entry in free])
        return place

    def sifted(self, cues: int) -> list[list[object]]:
        """The entries of each section, in order, of which all that they need is among the cues."""
        found = list(self._always)
        for place, entries in self._likely(cues).items():
            entries += self._free[place]
            # The order is another for each, so that no entries are compared.
            entries.sort()
            found[place] = [entry for _, entry in entries]
        return found

    def _likely(self, cues: int) -> dict[int, list[tuple[int, object]]]:
        found: dict[int, list[tuple[int, object]]] = {}
        likely = self._rarest & cues
        while likely:
            bit = likely & -likely
            likely ^= bit
            for place, order, need, entry in self._by_rarest[bit]:
                if need & cues == need:
                    found.setdefault(place, []).append((order, entry))
        return found


class Entries(tuple[_E, ...]):
    """Patterns, or what holds one: one section of a language."""

    sections: Sections
    place: int

    def __new__(cls, entries: Iterable[_E] = (), sections: Sections | None = None) -> "Entries[_E]":
        """The entries as a section of these, or of their own."""
        made = super().__new__(cls, entries)
        made.sections = sections or Sections()
        made.place = made.sections.add((pattern_of(entry), entry) for entry in made)
        return made


def pattern_of(entry: "Pattern | _HasPattern") -> Pattern:
    """The pattern itself, or the one that it holds."""
    return entry if isinstance(entry, Pattern) else entry.pattern


class Prefilter:
    """All cues of all languages in one automaton."""

    def __init__(self, cues: CueSets) -> None:
        words = cues.words()
        self._digit = words.pop(DIGIT, 0)
        self._capital = words.pop(CAPITAL, 0)
        self._marks = {word: bits for word, bits in words.items() if not _A_WORD.search(word)}
        self._any_mark = frozenset(self._marks)
        self._automaton = ahocorasick.Automaton()
        for word, bits in words.items():
            if word not in self._marks:
                self._automaton.add_word(word, bits)
        self._automaton.make_automaton()

    def scan(self, text: Folded, offset: int) -> "Scan":
        """Where in a text, which begins at `offset` of its message, which cues stand."""
        hits = list(self._automaton.iter(spaced(text.lowered))) if len(self._automaton) else []
        ends, bits = [end for end, _ in hits], [bits for _, bits in hits]
        return Scan(self, text, offset, ends, bits, self.classes(text))

    def classes(self, text: Folded) -> int:
        """The bits of the marks and the kinds of character that the text holds."""
        lowered = text.lowered
        found = self._digit if _A_DIGIT.search(lowered) else 0
        found |= self._capital if text.cased != lowered else 0
        for mark in self._any_mark.intersection(lowered):
            found |= self._marks[mark]
        return found


class Passage(NamedTuple):
    """A stretch of a message in its folded forms, with the cues that it holds.

    Units: `start` and `end` are character offsets into the message.
    """

    folded: Folded
    start: int
    end: int
    cues: int
    sifted: dict[Sections, list[list[object]]]

    def sift(self, entries: Entries[_E]) -> list[_E]:
        """The entries that the cues allow to match, in order: to read only."""
        found = self.sifted.get(entries.sections)
        if found is None:
            found = self.sifted[entries.sections] = entries.sections.sifted(self.cues)
        return cast("list[_E]", found[entries.place])

    def matching(self, entries: Entries[_E]) -> list[_E]:
        """The entries that match."""
        return [
            entry for entry in self.sift(entries) if pattern_of(entry).find(self.folded, self.cues)
        ]

    def first(self, entries: Entries[_E]) -> _E | None:
        """The first entry that matches."""
        for entry in self.sift(entries):
            if pattern_of(entry).find(self.folded, self.cues) is not None:
                return entry
        return None

    def find(self, pattern: Pattern) -> re.Match[str] | None:
        """The pattern's first match, if the cues allow any."""
        if pattern.need & self.cues != pattern.need:
            return None
        return pattern.find(self.folded, self.cues)

    def finds(self, pattern: Pattern) -> bool:
        """Whether the pattern matches anywhere."""
        return self.find(pattern) is not None

    def find_all(self, pattern: Pattern) -> Iterable[re.Match[str]]:
        """Every match of the pattern, in order."""
        if pattern.need & self.cues != pattern.need:
            return ()
        return pattern.find_all(self.folded)


@dataclass(frozen=True, slots=True)
class Scan:
    """The cues of one text, asked for by stretch."""

    prefilter: Prefilter
    text: Folded
    offset: int
    ends: list[int]
    bits: list[int]
    classes: int
    _passages: dict[tuple[int, int], Passage] = field(default_factory=dict)

    def passage(self, start: int, end: int) -> Passage:
        """The stretch between two offsets of the message, with the cues that end in it."""
        known = self._passages.get((start, end))
        if known is None:
            known = self._passages[start, end] = self._read(start, end)
        return known

    def _read(self, start: int, end: int) -> Passage:
        first, last = start - self.offset, end - self.offset
        part = self.text.part(first, last)
        cues = self.prefilter.classes(part) if self.classes else 0
        # A spaced text has one more character before and after, which may end or open a word.
        low, high = bisect_left(self.ends, first + 1), bisect_left(self.ends, last + 2)
        for bits in self.bits[low:high]:
            cues |= bits
        return Passage(part, start, end, cues, {})

    def whole(self) -> Passage:
        """The whole text."""
        return self.passage(self.offset, self.offset + len(self.text.cased))
