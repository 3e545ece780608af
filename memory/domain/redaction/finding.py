"""Where the secrets of a text are: one pass over it finds the words that rules wait for.

What a rule looks at from there is bounded, and none looks twice at what it has claimed, so the work
grows with the length of the text and not faster.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

import ahocorasick

from memory.domain.redaction import addresses, blocks, codes, keys, named, numbers, phrases
from memory.domain.redaction.folding import folded
from memory.domain.redaction.masks import (
    NO_MASKS,
    Masks,
    glued,
    mask_of,
    places_of_feigned_masks,
)
from memory.domain.redaction.rule import Passage, Rule, Scan, Span
from memory.domain.redaction.spread import claim_of, places_of_the_unseen

SCANS: tuple[Scan, ...] = (blocks.scan, addresses.scan, numbers.scan, phrases.scan)
# The first of two that claim the same says what it is.
RULES: tuple[Rule, ...] = (
    *keys.RULES,
    *addresses.RULES,
    *phrases.RULES,
    *codes.RULES,
    *named.RULES,
    *numbers.RULES,
)


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


class Hit(NamedTuple):
    """Where a word stands that some rules wait for, and their places among the rules."""

    start: int
    end: int
    rules: tuple[int, ...]


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
_LONGEST_WORD = max(len(word) for rule in RULES for word in rule.words)


class Looked(NamedTuple):
    """One look at a text in its folded form: the words in it, in the order of their ends."""

    text: str
    small: str
    hits: Sequence[Hit]

    def masked(self, found: Sequence[Claimed]) -> "Looked":
        """A look at the text with masks in the place of what was found.

        Words that stand beside the masks are not looked for again.
        """
        text, small = replaced(self.text, found), replaced(self.small, found).lower()
        # How a sign is folded may depend on what stands elsewhere.
        if folded(text) != small:
            return look_at(text)
        hits = [*_moved(self.hits, found), *_at_masks(small, found)]
        # Those with the same end in the order in which an automaton gives them.
        return Looked(text, small, sorted(hits, key=lambda hit: (hit.end, hit.start)))

    def claims(self) -> list[Claimed]:
        """All that rules claim of the text, masks left out, none overlapping another."""
        unseen, is_plain = places_of_the_unseen(self.text), "[secret:" not in self.small
        if is_plain and not unseen:
            return merged(_seen(self, NO_MASKS))
        masks = NO_MASKS if is_plain else Masks(self.text)
        found = [*_seen(self, masks), *_seen_through(self.text, unseen)]
        glue = glued(self.text)
        found += (Claimed(*each[:2], -1, each[2], "", (each[0], each[0])) for each in glue)
        return merged(_outside(masks, found))


def look_at(text: str) -> Looked:
    """A look at the whole text."""
    small = folded(text)
    return Looked(text, small, _hits(small, 0, len(small)))


def _hits(small: str, start: int, end: int) -> list[Hit]:
    found = _WORDS.iter(small, start, end)
    return [Hit(last + 1 - length, last + 1, rules) for last, (length, rules) in found]


def replaced(text: str, found: Sequence[Claimed]) -> str:
    """The text with a mask in the place of each; they do not overlap, and are in its order."""
    parts: list[str] = []
    position = 0
    for each in found:
        parts += (text[position : each.start], mask_of(each.kind))
        position = each.end
    return "".join((*parts, text[position:]))


def _growth(found: Sequence[Claimed]) -> list[int]:
    """By how much longer a text is behind the masks: behind none, behind the first, and so on."""
    return [0, *accumulate(len(mask_of(each.kind)) + each.start - each.end for each in found)]


def _moved(hits: Iterable[Hit], found: Sequence[Claimed]) -> Iterator[Hit]:
    """The words that are outside all that was found, where the masks have moved them."""
    ends, growth = [each.end for each in found], _growth(found)
    for hit in hits:
        before = bisect_right(ends, hit.start)
        if before == len(found) or hit.end <= found[before].start:
            shift = growth[before]
            yield hit._replace(start=hit.start + shift, end=hit.end + shift)


def _at_masks(small: str, found: Sequence[Claimed]) -> Iterator[Hit]:
    """The words of the masked text that a mask is part of; those inside it are none."""
    for each, shift in zip(found, _growth(found), strict=False):
        begin = each.start + shift
        start, end = max(begin - _LONGEST_WORD, 0), min(begin + _LONGEST_WORD, len(small))
        yield from (hit for hit in _hits(small, start, end) if hit.start <= begin < hit.end)


def _seen(looked: Looked, masks: Masks) -> list[Claimed]:
    return [*_scanned(looked.text, looked.small), *_hit(looked, masks)]


def _seen_through(text: str, unseen: list[Span]) -> Iterator[Claimed]:
    """Claims on the text without feigned masks and the unseen, as claims on the text itself."""
    left_out = sorted([*places_of_feigned_masks(text), *unseen])
    if not left_out:
        return
    places: list[int] = []
    position = 0
    for begin, end in [*left_out, (len(text), len(text))]:
        places += range(position, begin)
        position = max(position, end)
    left = "".join(text[place] for place in places)
    for each in _seen(look_at(left), Masks(left)):
        word = places[each.word[0]], places[each.word[1] - 1] + 1
        yield replace(each, start=places[each.start], end=places[each.end - 1] + 1, word=word)


def mentions(text: str) -> bool:
    """Whether any word stands in the text that a rule waits for."""
    position, seen = 0, []
    for begin, end in places_of_the_unseen(text):
        seen.append(text[position:begin])
        position = end
    seen.append(text[position:])
    return next(_WORDS.iter(folded("".join(seen))), None) is not None


def _scanned(text: str, small: str) -> Iterator[Claimed]:
    for number, scan in enumerate(SCANS):
        for start, end, kind in scan(text, small):
            yield Claimed(start, end, number - len(SCANS), kind, "", (start, start))


def _hit(looked: Looked, masks: Masks) -> Iterator[Claimed]:
    claimed_to: dict[int, int] = {}
    for hit in looked.hits:
        if masks.hold_inside(hit.start):
            continue
        at = Passage(looked.text, looked.small, hit.start, hit.end)
        for number in hit.rules:
            if claimed_to.get(number, 0) > at.start:
                continue
            rule = RULES[number]
            span = masks.before(claim_of(rule, at))
            if span and span[1] > span[0]:
                claimed_to[number] = span[1]
                yield Claimed(*span, number, rule.kind, rule.service, (at.start, at.end))


def _outside(masks: Masks, found: Iterable[Claimed]) -> Iterator[Claimed]:
    """The claims cut off where a mask begins; none that begins inside one."""
    for claim in found:
        span = masks.before((claim.start, claim.end))
        if span:
            yield replace(claim, end=span[1])


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
