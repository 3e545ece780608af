"""The words without which a pattern cannot match, read off the pattern itself.

Each pattern yields some sets of words; a text that has no word of one of them holds no match.
Words are written as `spaced` writes a text: whatever is no letter or digit is a space, so that the
edge of a word is a space too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined] # no public name for the parse tree
from re import _parser as parser  # type: ignore[attr-defined] # no public name for the parse tree
from typing import TypeAlias, cast

Words: TypeAlias = frozenset[str]
Item: TypeAlias = tuple[object, object]

DIGIT, CAPITAL = "\0digit", "\0capital"

_EDGE = "\1"
# A mark that is not among these is the most telling, and the later the less so.
_COMMON_MARKS = "()/-;!?\":',."
_FIRST_WIDE = "\u3000"
_NO_WORD = re.compile(r"\W")
_ASCII_SPACED = {code: " " for code in range(128) if _NO_WORD.match(chr(code))}
_PIECE = re.compile(r"\\.|.", re.DOTALL)
_A_WORD = re.compile(r"\w")

_MAX_WORDS = 400
_MAX_OPTIONAL = 16
_MAX_TIMES = 4
_MAX_CLASS = 40
_MOST_SETS = 4
_EMPTY: Words = frozenset(("",))
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


@dataclass(frozen=True, slots=True)
class Needs:
    """Either all the texts that an item matches, or sets of words of which each must occur.

    `further` sets must occur too; they tell less, and not of which language a text is.
    """

    exact: Words | None
    sets: tuple[Words, ...] = ()
    further: tuple[Words, ...] = ()

    @property
    def all_sets(self) -> tuple[Words, ...]:
        """Sets of lower-case words of which every match holds one each.

        The words `DIGIT` and `CAPITAL` stand for any digit and any capital letter; a word of
        marks alone is written as it is.
        """
        return _as_cues(self.raw_sets)

    @property
    def further_sets(self) -> tuple[Words, ...]:
        """The further sets, written in the same way."""
        return _as_cues(self.further)

    @property
    def raw_sets(self) -> tuple[Words, ...]:
        """The same with the edges of words still marked, to be joined with what stands beside."""
        return self.sets if self.exact is None else tuple(_useful((self.exact,)))


_UNKNOWN = Needs(None)


def _as_cues(sets: Iterable[Words]) -> tuple[Words, ...]:
    return tuple(frozenset(map(cue, words)) for words in sets)


def spaced(lowered: str) -> str:
    """The text with a space before and after, and for every character of no word."""
    # Most characters of no word stand in texts of ASCII alone, where a table is faster.
    is_ascii = lowered.isascii()
    words = lowered.translate(_ASCII_SPACED) if is_ascii else _NO_WORD.sub(" ", lowered)
    return f" {words} "


@lru_cache(maxsize=65_536)
def cue(word: str) -> str:
    """A word as it stands in a spaced text; of marks alone the most telling, a class as it is."""
    if word in (DIGIT, CAPITAL):
        return word
    if not _A_WORD.search(word):
        marks = word.replace(_EDGE, "").replace(" ", "")
        return min(marks, key=_COMMON_MARKS.find, default=word)
    found = ""
    for place, character in enumerate(word):
        if character != _EDGE:
            found += character
        elif not found:
            found += " " if _A_WORD.match(word[place:].lstrip(_EDGE)) else ""
        elif not word[place:].strip(_EDGE):
            found += " " if _A_WORD.match(found[-1]) else ""
    return _NO_WORD.sub(" ", found)


class Template:
    """A pattern, parsed, in which single private characters may stand for word lists known."""

    def __init__(self, text: str) -> None:
        self.items = parser.parse(text)

    def is_anchored(self) -> bool:
        """Whether the pattern can match at the start of a text only."""
        return _opens_at_start(self.items)

    def needs(self, lists: dict[str, Needs]) -> Needs:
        """What a text needs to match the pattern."""
        return _Reader(lists).sequence(self.items)


def alternatives(regex: str) -> list[str]:
    """The outermost alternatives of a pattern."""
    found, depth, in_class = [""], 0, False
    for piece in _PIECE.findall(regex):
        if in_class:
            in_class = piece != "]"
        elif piece == "[":
            in_class = True
        elif piece in "()":
            depth += 1 if piece == "(" else -1
        if piece == "|" and depth == 0 and not in_class:
            found.append("")
        else:
            found[-1] += piece
    return found


def _opens_at_start(items: "Sequence[Item]") -> bool:
    for code, detail in items:
        if code is codes.AT:
            return detail is codes.AT_BEGINNING
        if code is codes.SUBPATTERN:
            return _opens_at_start(cast("tuple[object, int, int, Sequence[Item]]", detail)[3])
        if code is codes.BRANCH:
            branches = cast("tuple[object, Sequence[Sequence[Item]]]", detail)[1]
            return all(map(_opens_at_start, branches))
        if code not in (codes.ASSERT, codes.ASSERT_NOT):
            return False
    return False


@dataclass(frozen=True, slots=True)
class _Reader:
    lists: dict[str, Needs]

    def sequence(self, items: Iterable[Item]) -> Needs:
        """What items in a row need; neighbors that are plain text make one longer word."""
        found: list[Needs] = []
        run = _EMPTY
        for code, detail in items:
            if code is codes.AT and detail is codes.AT_BOUNDARY:
                run = frozenset(word + _EDGE for word in run)
                continue
            if code in (codes.AT, codes.ASSERT_NOT):
                continue
            if code is codes.ASSERT:
                found.append(self.sequence(cast("tuple[int, Sequence[Item]]", detail)[1]))
                continue
            needs = self.item(code, detail)
            if needs.exact is not None and len(run) * len(needs.exact) <= _MAX_WORDS:
                run = frozenset(left + right for left in run for right in needs.exact)
                continue
            found += (Needs(run), Needs(None, needs.sets, needs.further))
            run = _EMPTY if needs.exact is None else needs.exact
        return _all_of([*found, Needs(run)]) if found else Needs(run)

    def item(self, code: object, detail: object) -> Needs:
        """What one node of the parse tree needs."""
        if code is codes.LITERAL:
            character = chr(cast("int", detail))
            return self.lists.get(character) or Needs(frozenset((character.lower(),)))
        if code is codes.IN:
            return self._members(cast("list[Item]", detail))
        if code is codes.SUBPATTERN:
            return self.sequence(cast("tuple[object, int, int, Sequence[Item]]", detail)[3])
        if code is codes.ATOMIC_GROUP:
            return self.sequence(cast("Sequence[Item]", detail))
        if code is codes.BRANCH:
            return self._branch(cast("tuple[object, Sequence[Sequence[Item]]]", detail)[1])
        if code in REPEATS:
            return self._repeat(*cast("tuple[int, int, Sequence[Item]]", detail))
        return _UNKNOWN

    def _members(self, members: list[Item]) -> Needs:
        # Alternatives of one character each are parsed as a class, and so are stand-ins.
        if any(code is codes.LITERAL and chr(cast("int", c)) in self.lists for code, c in members):
            return self._branch([[member] for member in members])
        return _class(members)

    def _branch(self, branches: "Sequence[Sequence[Item]]") -> Needs:
        needs = [self.sequence(branch) for branch in branches]
        exact = [each.exact for each in needs if each.exact is not None]
        if len(exact) == len(needs) and sum(map(len, exact)) <= _MAX_WORDS:
            return Needs(frozenset[str]().union(*exact))
        best = [max(each.raw_sets, key=rarity, default=None) for each in needs]
        known = [words for words in best if words is not None]
        if len(known) < len(best):
            return _UNKNOWN
        return Needs(None, (_union(known),), tuple(_further(needs)))

    def _repeat(self, least: int, most: int, items: "Sequence[Item]") -> Needs:
        needs = self.sequence(items)
        if (least, most) == (1, 1):
            return needs
        if needs.exact is not None and most <= _MAX_TIMES:
            repeated = _repeated(needs.exact, least, most)
            if len(repeated) <= _MAX_OPTIONAL:
                return Needs(repeated)
        if least >= 1:
            return Needs(None, needs.raw_sets, needs.further)
        return _UNKNOWN


def _all_of(parts: Sequence[Needs]) -> Needs:
    sets = dict.fromkeys(words for part in parts for words in part.raw_sets)
    further = dict.fromkeys(words for part in parts for words in part.further)
    return Needs(None, tuple(sets), tuple(further))


def _further(branches: Sequence[Needs]) -> Iterator[Words]:
    """The second best set of each branch together, then the third, as far as any has one."""
    ranked = [
        sorted((*each.raw_sets, *each.further), key=rarity, reverse=True) for each in branches
    ]
    for place in range(1, min(_MOST_SETS, max(map(len, ranked)))):
        yield _union(sets[min(place, len(sets) - 1)] for sets in ranked)


def _union(sets: Iterable[Words]) -> Words:
    return frozenset[str]().union(*sets)


def _repeated(words: Words, least: int, most: int) -> Words:
    found, run = set[str](), {""}
    for times in range(most + 1):
        found |= run if times >= least else set()
        run = {left + right for left in run for right in words} if len(run) < _MAX_WORDS else run
    return frozenset(found)


def _class(members: list[Item]) -> Needs:
    digits = ((codes.CATEGORY, codes.CATEGORY_DIGIT), (codes.RANGE, (ord("0"), ord("9"))))
    if len(members) == 1 and members[0] in digits:
        return Needs(None, (frozenset((DIGIT,)),))
    if len(members) <= _MAX_CLASS and all(code is codes.LITERAL for code, _ in members):
        return Needs(frozenset(chr(cast("int", detail)).lower() for _, detail in members))
    if all(map(_is_capital, members)):
        return Needs(None, (frozenset((CAPITAL,)),))
    return _UNKNOWN


def _is_capital(member: Item) -> bool:
    code, detail = member
    if code is codes.LITERAL:
        ends: tuple[int, ...] = (cast("int", detail),)
    elif code is codes.RANGE:
        ends = cast("tuple[int, int]", detail)
    else:
        return False
    return all(chr(end).lower() != chr(end) for end in ends)


def rarity(words: Words) -> tuple[int, int]:
    """A set of longer words rules out more texts; of equal ones the smaller."""
    return _least_weight(words), -len(words)


@lru_cache(maxsize=8_192)
def _least_weight(words: Words) -> int:
    return min(map(_weight, words))


def _weight(word: str) -> int:
    if word in (DIGIT, CAPITAL, "_"):
        return 2
    if not _A_WORD.search(word):
        return 2 * len(word.strip(f" {_EDGE}"))
    # A Chinese character tells as much as a short word.
    return len(word) + (max(word, default="") >= _FIRST_WIDE)


def _useful(sets: Iterable[Words]) -> list[Words]:
    return [words for words in sets if words and _least_weight(words) > 1]
