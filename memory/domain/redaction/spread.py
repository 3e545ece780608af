"""Secrets whose letters do not stand together: broken by hyphens, spaces, lines or the unseen."""

import re
from collections.abc import Iterator
from itertools import islice

from memory.domain.redaction.folding import folded
from memory.domain.redaction.named import ENDS_A_CLAUSE, LITTLE_WORDS
from memory.domain.redaction.rule import Passage, Rule, Span
from memory.domain.redaction.values import is_said_of_passwords, is_strong

# Soft hyphens, joiners, marks of direction and characters without width.
_UNSEEN = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_ANY_UNSEEN = re.compile(f"[{_UNSEEN}]")
# Between emoji, they hide nothing; between a sign and a space, they part a name from its value.
_BESIDE = r"[\w\x09-\x7e]"
_HIDING = re.compile(rf"(?<={_BESIDE})[{_UNSEEN}]+|[{_UNSEEN}]+(?={_BESIDE})")
_LOOKED_AT, _BEFORE = 240, 2
# A pattern that begins with what it looks for is tried in few places; one that looks back first,
# at each character.
_HYPHEN = re.compile(r"-(?<=[A-Za-z0-9]-)\s{1,3}(?=[A-Za-z0-9])")
# What goes on behind the space has what no word has, and is no mere number.
_SPACE = re.compile(r"\s(?<=[A-Za-z0-9]\s)\s{0,2}(?=[^\s]{0,32}[0-9])(?=[^\s]{0,32}[A-Za-z])")
_ONE_BY_ONE = re.compile(r"(?<![^\s:=])[A-Za-z0-9](?: [A-Za-z0-9]){5,63}(?![^\s.,;!?])")
_SOME_ONE_BY_ONE = re.compile(r"(?: [A-Za-z0-9]){5}")
_DIGIT = re.compile(r"[0-9]")
_LAST_WORD = re.compile(r"\S+$")
_LEAST_OF_A_PART, _MOST_SPACES = 3, 4
# A plain word may follow what else is secret; passwords are said to be something.
_SAID_TO_BE = frozenset(("password", "pw", "密码"))


def places_of_the_unseen(text: str) -> list[Span]:
    """Where something stands beside a letter, digit or sign that nobody sees."""
    # Most texts have none anywhere, which one look at each character tells.
    if text.isascii() or not _ANY_UNSEEN.search(text):
        return []
    return [match.span() for match in _HIDING.finditer(text)]


def claim_of(rule: Rule, at: Passage) -> Span | None:
    """What the rule claims of the text, also where a break goes through the value."""
    span = rule.claim(at)
    if span and _DIGIT.search(at.text, *span):
        return span
    # A word may be the first half: "pw: blue-" and "goose42" on the next line.
    return _claim_across(rule, at) or span


def _claim_across(rule: Rule, at: Passage) -> Span | None:
    # What no sentence has, has a digit.
    if not _DIGIT.search(at.text, at.end, at.end + _LOOKED_AT):
        return None
    for places in _breaks(rule, at):
        near = _Near(at, places)
        span = rule.claim(near.passage)
        if span and near.is_one(span, places):
            return near.place_of(span[0]), near.place_of(span[1] - 1) + 1
    return None


def _breaks(rule: Rule, at: Passage) -> Iterator[list[Span]]:
    """The breaks that may go together, each way for itself."""
    end = at.end + _LOOKED_AT
    if hyphens := [match.span() for match in _HYPHEN.finditer(at.text, at.end, end)]:
        yield hyphens
    if _SOME_ONE_BY_ONE.search(at.text, at.end, end):
        for run in _ONE_BY_ONE.finditer(at.text, at.end, end):
            yield [(place, place + 1) for place in range(run.start() + 1, run.end(), 2)]
    if _SAID_TO_BE.intersection(rule.words):
        for space in islice(_SPACE.finditer(at.text, at.end, end), _MOST_SPACES):
            if _may_go_on(at, space):
                yield [space.span()]


def _may_go_on(at: Passage, space: re.Match[str]) -> bool:
    """Whether what stands before the space can be the beginning of a value."""
    word = _LAST_WORD.search(at.folded, at.end, space.start())
    if word is None or len(word[0]) < _LEAST_OF_A_PART:
        return False
    return word[0] not in LITTLE_WORDS and not is_said_of_passwords(word[0])


class _Near:
    """The text around a word without some breaks behind it, and where each character was."""

    def __init__(self, at: Passage, breaks: list[Span]) -> None:
        begin, end = max(at.start - _BEFORE, 0), min(at.end + _LOOKED_AT, len(at.text))
        self._places: list[int] = []
        parts: list[str] = []
        position = begin
        for start, behind in [*breaks, (end, end)]:
            self._places += range(position, start)
            parts.append(at.text[position:start])
            position = behind
        text = "".join(parts)
        self.passage = Passage(text, folded(text), at.start - begin, at.end - begin)

    def place_of(self, number: int) -> int:
        """Where this character stands in the whole text."""
        return self._places[number]

    def is_one(self, span: Span, breaks: list[Span]) -> bool:
        """Whether a break lies inside, and all together is what no sentence has."""
        start, end = self.place_of(span[0]), self.place_of(span[1] - 1)
        if not any(start < place < end for place, _ in breaks):
            return False
        value = self.passage.text[slice(*span)]
        return is_strong(value) and bool(ENDS_A_CLAUSE.match(self.passage.folded, span[1]))
