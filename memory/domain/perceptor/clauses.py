"""A sentence that says two things, cut where each half still means something on its own."""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from memory.domain.perceptor.reading import Read, Weights, read_passage
from memory.domain.perceptor.shapes import shape_of

if TYPE_CHECKING:
    from memory.domain.perceptor.language import ClauseRules, Language
    from memory.domain.perceptor.prefilter import Passage, Scan

_LEAST_LETTERS = 8
_LEAST_WIDE = 4
_MOST_CUTS = 2
_ASCII_END = 128


def cut(
    whole: Read, scan: "Scan", spoken: Sequence["Language"], weights: Weights
) -> tuple[Read, Read] | None:
    """The two clauses of a sentence, if each is worth a record of its own kind; else None.

    The word that joins them belongs to neither.
    """
    rules = whole.language.clauses
    if rules.breaks is None or (rules.bound is not None and whole.passage.finds(rules.bound)):
        return None
    for match in islice(whole.passage.find_all(rules.breaks), _MOST_CUTS):
        halves = _halves(whole, match.span(), scan, spoken, weights=weights)
        if halves is not None and _says_two_things(halves, spoken):
            return halves
    return None


def _halves(
    whole: Read,
    gap: tuple[int, int],
    scan: "Scan",
    spoken: Sequence["Language"],
    *,
    weights: Weights,
) -> tuple[Read, Read] | None:
    before, after = whole.text[: gap[0]].rstrip(" ,;"), whole.text[gap[1] :].lstrip()
    if not (_is_long_enough(before) and _is_long_enough(after)):
        return None
    start, end = whole.passage.start, whole.passage.end
    first = scan.passage(start, start + len(before))
    second = scan.passage(end - len(after), end)
    if not _are_clauses(first, second, whole.language.clauses):
        return None
    return (
        read_passage(first, before, spoken, weights),
        read_passage(second, after, spoken, weights),
    )


def _are_clauses(first: "Passage", second: "Passage", rules: "ClauseRules") -> bool:
    """Whether each could be a sentence: “my brother” before “and my sister are coming” is none."""
    if rules.start is not None and not second.finds(rules.start):
        return False
    return rules.verb is None or (first.finds(rules.verb) and second.finds(rules.verb))


def _says_two_things(halves: tuple[Read, Read], spoken: Sequence["Language"]) -> bool:
    if not all(half.is_strong for half in halves):
        return False
    kinds = {shape.kind for half in halves if (shape := shape_of(half, spoken))}
    signals = {half.signals[0].kind if half.signals else None for half in halves}
    return len(kinds) > 1 or len(signals) > 1 or _names_past_and_coming(halves)


def _names_past_and_coming(halves: tuple[Read, Read]) -> bool:
    """Whether one half tells of a day gone by, and the other names a day without a past verb."""
    if not all(_names_day(half) for half in halves):
        return False
    return _looks_back(halves[0]) != _looks_back(halves[1])


def _names_day(half: Read) -> bool:
    return any(need & half.passage.cues == need for need in half.language.time_needs.day)


def _looks_back(half: Read) -> bool:
    lowered = half.passage.folded.lowered
    return any(regex.search(lowered) for regex in half.language.calendar.patterns.get("past", ()))


def _is_long_enough(text: str) -> bool:
    wide = sum(1 for character in text if ord(character) >= _ASCII_END)
    return len(text) >= _LEAST_LETTERS or wide >= _LEAST_WIDE
