"""Where the secrets of a text are: one pass over it finds the words that rules wait for.

What a rule looks at from there is bounded, and none looks twice at what it has claimed, so the work
grows with the length of the text and not faster.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import ahocorasick

from memory.domain.redaction import addresses, blocks, codes, keys, named, numbers, phrases
from memory.domain.redaction.folding import folded
from memory.domain.redaction.masks import NO_MASKS, Masks, glued, places_of_feigned_masks
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
    small, unseen = folded(text), places_of_the_unseen(text)
    is_plain = "[secret:" not in small
    if is_plain and not unseen:
        return merged(_seen(text, small, NO_MASKS))
    masks = NO_MASKS if is_plain else Masks(text)
    found = [*_seen(text, small, masks), *_seen_through(text, unseen)]
    found += (Claimed(*each[:2], -1, each[2], "", (each[0], each[0])) for each in glued(text))
    return merged(_outside(masks, found))


def _seen(text: str, small: str, masks: Masks) -> list[Claimed]:
    return [*_scanned(text, small), *_hit(text, small, masks)]


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
    for each in _seen(left, folded(left), Masks(left)):
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


def _hit(text: str, small: str, masks: Masks) -> Iterator[Claimed]:
    claimed_to: dict[int, int] = {}
    for last, (length, rules) in _WORDS.iter(small):
        end = last + 1
        at = Passage(text, small, end - length, end)
        if masks.hold_inside(at.start):
            continue
        for number in rules:
            if claimed_to.get(number, 0) > at.start:
                continue
            rule = RULES[number]
            span = masks.before(claim_of(rule, at))
            if span and span[1] > span[0]:
                claimed_to[number] = span[1]
                yield Claimed(span[0], span[1], number, rule.kind, rule.service, (at.start, end))


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
