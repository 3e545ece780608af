"""Where the secrets of a text are: one pass over it finds the words that rules wait for.

What a rule looks at from there is bounded, and none looks twice at what it has claimed, so the work
grows with the length of the text and not faster.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import ahocorasick

from memory.domain.redaction import addresses, blocks, codes, keys, named, numbers, phrases
from memory.domain.redaction.folding import folded
from memory.domain.redaction.rule import Passage, Rule, Scan, Span

SCANS: tuple[Scan, ...] = (blocks.scan, addresses.scan, numbers.scan)
# The first of two that claim the same says what it is.
RULES: tuple[Rule, ...] = (
    *keys.RULES,
    *addresses.RULES,
    *phrases.RULES,
    *codes.RULES,
    *named.RULES,
    *numbers.RULES,
)
MASK = "[secret: "
_MASK = re.compile(r"\[secret: [A-Za-z -]{2,20}\]")


@dataclass(frozen=True, slots=True)
class Claimed:
    """A stretch of a text that some rule claims; `rank` is its place among the rules."""

    start: int
    end: int
    rank: int
    kind: str
    service: str
    # Where the word stands by which it was found.
    word: Span


def _automaton() -> ahocorasick.Automaton:
    waiting: dict[str, list[int]] = {}
    for number, rule in enumerate(RULES):
        for word in rule.words:
            waiting.setdefault(word, []).append(number)
    automaton = ahocorasick.Automaton()
    for word, rules in waiting.items():
        automaton.add_word(word, (len(word), tuple(rules)))
    automaton.make_automaton()
    return automaton


_WORDS = _automaton()


def claims(text: str) -> list[Claimed]:
    """All that rules claim of a text, masks left out, none overlapping another."""
    small = folded(text)
    found = [*_scanned(text, small), *_hit(text, small)]
    if not found:
        return []
    if MASK in text:
        found = list(_outside(text, found))
    return merged(found)


def _scanned(text: str, small: str) -> Iterator[Claimed]:
    for number, scan in enumerate(SCANS):
        for start, end, kind in scan(text, small):
            yield Claimed(start, end, number - len(SCANS), kind, "", (start, start))


def _hit(text: str, small: str) -> Iterator[Claimed]:
    claimed_to: dict[int, int] = {}
    for last, (length, rules) in _WORDS.iter(small):
        end = last + 1
        at = Passage(text, small, end - length, end)
        for number in rules:
            if claimed_to.get(number, 0) > at.start:
                continue
            rule = RULES[number]
            span = rule.claim(at)
            if span and span[1] > span[0]:
                claimed_to[number] = span[1]
                yield Claimed(span[0], span[1], number, rule.kind, rule.service, (at.start, end))


def _outside(text: str, found: Iterable[Claimed]) -> Iterator[Claimed]:
    """The claims cut off where a mask begins; none that begins, or whose word is, inside one."""
    masks = [match.span() for match in _MASK.finditer(text)]
    begins = [begin for begin, _ in masks]
    for claim in found:
        if _is_within(masks, begins, claim.start) or _is_within(masks, begins, claim.word[0] - 1):
            continue
        following = bisect_right(begins, claim.start)
        end = min(claim.end, begins[following]) if following < len(begins) else claim.end
        yield replace(claim, end=end)


def _is_within(masks: Sequence[Span], begins: Sequence[int], place: int) -> bool:
    before = bisect_right(begins, place) - 1
    return before >= 0 and place < masks[before][1]


def merged(found: Iterable[Claimed]) -> list[Claimed]:
    """The claims in the order of the text, those that overlap as one."""
    whole: list[Claimed] = []
    for claim in sorted(found, key=lambda each: (each.start, each.rank)):
        if whole and claim.start < whole[-1].end:
            whole[-1] = _joined(whole[-1], claim)
        else:
            whole.append(claim)
    return whole


def _joined(one: Claimed, other: Claimed) -> Claimed:
    first = min(one, other, key=lambda each: each.rank)
    service = first.service or one.service or other.service
    end = max(one.end, other.end)
    return Claimed(one.start, end, first.rank, first.kind, service, first.word)
