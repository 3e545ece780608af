"""The text of a turn, cut where signals, masked secrets and found words begin and end."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from typing import Any, TypeAlias

from dashboard.doubts import Unsure
from dashboard.numbers import plural, score

LOOKS = {
    "correction": "sg-correction",
    "memory_request": "sg-memory",
    "rule": "sg-rule",
    "identity": "sg-identity",
    "preference": "sg-preference",
    "time_commitment": "sg-time",
}
UNKNOWN_LOOK = "sg-weak"
UNSURE = "unsure"
# Signals that overlap have lines one below the other; more than these share the lowest.
LANES = ("", " ln-2", " ln-3")
MOST_AT_ONCE = 1_600
LINES_AT_ONCE = 10
MOST_LINES = 14
# A text may hold one letter a hundred thousand times; nobody looks at more marks than these.
MOST_MARKS = 200
Mark: TypeAlias = Mapping[str, Any]
SECRET = re.compile(r"\[secret: ([^\]\n]{1,40})\]")


@dataclass(frozen=True, slots=True)
class Label:
    """What a signal is called, how sure it is, and why."""

    words: str
    reason: str
    look: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a text that is drawn in one way, with the labels that stand at its end.

    `looks` holds one for each signal that covers it, the one with the lowest line first.
    """

    text: str
    looks: tuple[str, ...]
    labels: tuple[Label, ...]
    secret: str
    is_found: bool
    begins_rest: bool


@dataclass(frozen=True, slots=True)
class Underlined:
    """A text in pieces, and in words how much of a long one is folded away as its rest."""

    pieces: tuple[Piece, ...]
    rest: str
    is_found_in_rest: bool


def marks_of(signals: Sequence[Mark], unsure: Sequence[Unsure]) -> list[Mark]:
    """What is underlined of a text: its signals, and the sentences that were not sure enough."""
    weak = [{**asdict(each), "kind": UNSURE} for each in unsure]
    return [*signals, *weak]


def underline(text: str, signals: Sequence[Mark] = (), words: str = "") -> Underlined:
    """The text with its signals, its masks and the words that were looked for."""
    cut = _head_length(text)
    masks = {match.span(): match[1] for match in islice(SECRET.finditer(text), MOST_MARKS)}
    met = [match.span() for match in islice(_occurrences(text, words), MOST_MARKS)]
    # A mask is drawn as one, whatever its letters are.
    found = [span for span in met if not any(_meet(span, mask) for mask in masks)]
    pieces = _pieces(text, cut, signals, masks=masks, found=found)
    is_found_in_rest = any(end > cut for _, end in found)
    return Underlined(tuple(pieces), _measure(text[cut:]), is_found_in_rest)


def _head_length(text: str) -> int:
    """A long text is folded at the end of a line or a word, and only where that hides much."""
    lines = text.splitlines(keepends=True)
    if len(lines) > MOST_LINES:
        by_lines = len("".join(lines[:LINES_AT_ONCE]))
        return by_lines if by_lines <= MOST_AT_ONCE else _end_of_word(text)
    return len(text) if len(text) <= MOST_AT_ONCE * 1.25 else _end_of_word(text)


def _end_of_word(text: str) -> int:
    ends = (text.rfind(mark, MOST_AT_ONCE // 2, MOST_AT_ONCE) for mark in "\n ")
    return next((end for end in ends if end > 0), MOST_AT_ONCE)


def _measure(rest: str) -> str:
    lines = len(rest.splitlines())
    if lines > 1:
        return plural(lines, "line more,lines more")
    return plural(len(rest), "character more,characters more") if rest else ""


def _occurrences(text: str, words: str) -> Iterable[re.Match[str]]:
    return re.finditer(re.escape(words), text, re.IGNORECASE) if words else ()


def _pieces(
    text: str,
    cut: int,
    signals: Sequence[Mark],
    *,
    masks: Mapping[tuple[int, int], str],
    found: Sequence[tuple[int, int]],
) -> list[Piece]:
    spans = [*map(_span, signals), *masks, *found]
    edges = sorted({0, len(text), cut, *(edge for span in spans for edge in span)})
    edges = [edge for edge in edges if 0 <= edge <= len(text)]
    lanes = _lanes(signals)
    pieces = []
    for start, end in pairwise(edges):
        over = [(lane, each) for lane, each in lanes if _covers(_span(each), start, end)]
        ending = tuple(_label(each) for _, each in over if each["end"] == end)
        looks = tuple(_look(each) + LANES[lane] for lane, each in over)
        secret = next((kind for span, kind in masks.items() if _covers(span, start, end)), "")
        is_found = any(_covers(span, start, end) for span in found)
        pieces.append(Piece(text[start:end], looks, ending, secret, is_found, start == cut))
    return pieces


def _lanes(signals: Sequence[Mark]) -> list[tuple[int, Mark]]:
    """Each signal with the place of its line, which is the same all along; the lowest first."""
    ends: list[int] = []
    placed = []
    for signal in sorted(signals, key=lambda each: (each["start"], -each["end"])):
        free = next((lane for lane, end in enumerate(ends) if end <= signal["start"]), len(ends))
        ends[free : free + 1] = [signal["end"]]
        placed.append((min(free, len(LANES) - 1), signal))
    return sorted(placed, key=lambda each: -each[0])


def _span(signal: Mark) -> tuple[int, int]:
    return signal["start"], signal["end"]


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _covers(span: tuple[int, int], start: int, end: int) -> bool:
    return span[0] <= start and end <= span[1]


def _look(signal: Mark) -> str:
    return LOOKS.get(signal["kind"], UNKNOWN_LOOK)


def _label(signal: Mark) -> Label:
    words = f"{str(signal['kind']).replace('_', ' ')} {score(signal['confidence'])}"
    return Label(words, str(signal["reason"]), _look(signal))
