"""One pass over a text that tells which patterns are worth trying where."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import ahocorasick

from memory.domain.perceptor.literals import CAPITAL, DIGIT, Words, rarity, spaced
from memory.domain.perceptor.patterns import Folded, Pattern


class _HasPattern(Protocol):
    @property
    def pattern(self) -> Pattern:
        """The pattern that decides."""


_E = TypeVar("_E", bound="Pattern | _HasPattern")
_A_WORD = re.compile(r"\w")


@dataclass(slots=True)
class CueSets:
    """The sets of words that patterns need, each with a bit of its own; equal sets share it.

    The patterns of a section have one more bit each, side by side, which comes with that of the
    rarest set: those that may match are then found by their place, in order. `telling` holds the
    bits of the sets that tell of which language a text is.
    """

    telling: int = 0
    _bits: dict[Words, int] = field(default_factory=dict)
    _beside: dict[int, int] = field(default_factory=dict)
    _count: int = 0

    def need(self, sets: Iterable[Words], further: Iterable[Words] = ()) -> tuple[int, int]:
        """The bits of these sets, and the bit of the one that rules out the most texts."""
        bits = {self._bit_of(words): rarity(words) for words in sets}
        self.telling |= sum(bits)
        bits |= {self._bit_of(words): rarity(words) for words in further}
        return sum(bits), max(bits, key=bits.__getitem__, default=0)

    def line_up(self, rarest: Sequence[int]) -> int:
        """The place of the first of as many bits side by side, each of which comes with its own.

        What comes with none is always there.
        """
        first = self._count
        self._count += len(rarest)
        for place, bit in enumerate(rarest, first):
            self._beside[bit] = self._beside.get(bit, 0) | 1 << place
        return first

    @property
    def always(self) -> int:
        """The bits that every text has."""
        return self._beside.get(0, 0)

    def words(self) -> dict[str, int]:
        """Every word with the bits of the sets that it belongs to."""
        bits: dict[str, int] = {}
        for words, bit in self._bits.items():
            all_bits = bit | self._beside.get(bit, 0)
            for word in words:
                bits[word] = bits.get(word, 0) | all_bits
        # Most words have the bits of others too: one number for all of them keeps it small.
        shared: dict[int, int] = {}
        return {word: shared.setdefault(found, found) for word, found in bits.items()}

    def _bit_of(self, words: Words) -> int:
        bit = self._bits.get(words)
        if bit is None:
            bit = self._bits[words] = 1 << self._count
            self._count += 1
        return bit


@dataclass(slots=True)
class Sieve(Generic[_E]):
    """The entries of a section, each with its pattern, by its bit among those side by side."""

    first: int
    row: int
    pairs: dict[int, tuple[_E, Pattern]]

    def sifted(self, cues: int) -> list[tuple[_E, Pattern]]:
        """The entries, in order, of which all that they need is among the cues; each's pattern."""
        found: list[tuple[_E, Pattern]] = []
        likely = (cues & self.row) >> self.first
        while likely:
            bit = likely & -likely
            likely ^= bit
            pair = self.pairs[bit]
            need = pair[1].need
            if need & cues == need:
                found.append(pair)
        return found


class Entries(tuple[_E, ...]):
    """Patterns, or what holds one: one section of a language."""

    sieve: Sieve[_E]

    def __new__(cls, entries: Iterable[_E], cues: CueSets) -> "Entries[_E]":
        """The entries, with their place among the cues."""
        made = super().__new__(cls, entries)
        patterns = [pattern_of(entry) for entry in made]
        first = cues.line_up([pattern.rarest for pattern in patterns])
        pairs = zip(made, patterns, strict=True)
        by_bit = {1 << place: pair for place, pair in enumerate(pairs)}
        made.sieve = Sieve(first, (1 << len(made)) - 1 << first, by_bit)
        return made


def pattern_of(entry: "Pattern | _HasPattern") -> Pattern:
    """The pattern itself, or the one that it holds."""
    return entry if isinstance(entry, Pattern) else entry.pattern


class Prefilter:
    """All cues of all languages in one automaton."""

    def __init__(self, cues: CueSets) -> None:
        words = cues.words()
        self._always = cues.always
        self._digit = words.pop(DIGIT, 0)
        self._capital = words.pop(CAPITAL, 0)
        self._marks = {word: bits for word, bits in words.items() if not _A_WORD.search(word)}
        self._find_marks = re.compile(rf"[\d{re.escape(''.join(self._marks))}]").findall
        self._automaton = ahocorasick.Automaton()
        for word, bits in words.items():
            if word not in self._marks:
                self._automaton.add_word(word, bits)
        self._automaton.make_automaton()

    def scan(self, text: Folded, offset: int) -> "Scan":
        """Where in a text, which begins at `offset` of its message, which cues stand."""
        hits = list(self._automaton.iter(spaced(text.lowered))) if len(self._automaton) else []
        return Scan(self, text, offset, hits)

    def classes(self, text: Folded) -> int:
        """The bits of the marks and the kinds of character that the text holds, and of no word."""
        lowered = text.lowered
        found = self._always if text.cased == lowered else self._always | self._capital
        for mark in set(self._find_marks(lowered)):
            found |= self._marks.get(mark, self._digit)
        return found


@dataclass(slots=True)
class Passage:
    """A stretch of a message in its folded forms, with the cues that it holds; to read only.

    Units: `start` and `end` are character offsets into the message.
    """

    folded: Folded
    start: int
    end: int
    cues: int

    def reworded(self, folded: Folded) -> "Passage":
        """The stretch with some of its words blanked out."""
        return replace(self, folded=folded)

    def sift(self, entries: Entries[_E]) -> list[_E]:
        """The entries that the cues allow to match, in order."""
        return [entry for entry, _ in entries.sieve.sifted(self.cues)]

    def matching(self, entries: Entries[_E]) -> list[_E]:
        """The entries that match."""
        folded, cues = self.folded, self.cues
        return [
            entry for entry, pattern in entries.sieve.sifted(cues) if pattern.find(folded, cues)
        ]

    def first(self, entries: Entries[_E]) -> _E | None:
        """The first entry that matches."""
        for entry, pattern in entries.sieve.sifted(self.cues):
            if pattern.find(self.folded, self.cues):
                return entry
        return None

    def find(self, pattern: Pattern) -> re.Match[str] | None:
        """The pattern's first match, if the cues allow any."""
        return pattern.find(self.folded, self.cues) if pattern.may_match(self.cues) else None

    def finds(self, pattern: Pattern) -> bool:
        """Whether the pattern matches anywhere."""
        return self.find(pattern) is not None

    def find_all(self, pattern: Pattern) -> Iterable[re.Match[str]]:
        """Every match of the pattern, in order."""
        return pattern.find_all(self.folded) if pattern.may_match(self.cues) else ()


@dataclass(slots=True)
class Scan:
    """The cues of one text, asked for by stretch: where each ends, and its bits."""

    prefilter: Prefilter
    text: Folded
    offset: int
    hits: list[tuple[int, int]]
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
        cues = self.prefilter.classes(part)
        # A spaced text has one more character before and after, which may end or open a word.
        low, high = bisect_left(self.hits, (first + 1,)), bisect_left(self.hits, (last + 2,))
        for _, bits in self.hits[low:high]:
            cues |= bits
        return Passage(part, start, end, cues)

    def whole(self) -> Passage:
        """The whole text."""
        return self.passage(self.offset, self.offset + len(self.text.cased))
