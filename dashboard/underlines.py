"""The text of a turn, cut where signals, masked secrets and found words begin and end."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

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
MOST_AT_ONCE = 1_600
LINES_AT_ONCE = 10
MOST_LINES = 14
# A text may hold one letter a hundred thousand times; nobody looks at more marks than these.
MOST_MARKS = 200
SECRET = re.compile(r"\[secret: ([^\]\n]{1,40})\]")


@dataclass(frozen=True, slots=True)
class Label:
    """What a signal is called, how sure it is, and why."""

    words: str
    reason: str
    look: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a text that is drawn in one way, with the labels that stand at its end."""

    text: str
    look: str
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


def underline(text: str, signals: Sequence[Mapping[str, Any]] = (), words: str = "") -> Underlined:
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
    signals: Sequence[Mapping[str, Any]],
    *,
    masks: Mapping[tuple[int, int], str],
    found: Sequence[tuple[int, int]],
) -> list[Piece]:
    spans = [(each["start"], each["end"]) for each in signals] + list(masks) + list(found)
    edges = sorted({0, len(text), cut, *(edge for span in spans for edge in span)})
    edges = [edge for edge in edges if 0 <= edge <= len(text)]
    pieces = []
    for start, end in pairwise(edges):
        over = [each for each in signals if each["start"] <= start and end <= each["end"]]
        ending = tuple(_label(each) for each in over if each["end"] == end)
        look = _look(over[0]) if over else ""
        secret = next((kind for span, kind in masks.items() if _covers(span, start, end)), "")
        is_found = any(_covers(span, start, end) for span in found)
        pieces.append(Piece(text[start:end], look, ending, secret, is_found, start == cut))
    return pieces


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _covers(span: tuple[int, int], start: int, end: int) -> bool:
    return span[0] <= start and end <= span[1]


def _look(signal: Mapping[str, Any]) -> str:
    return LOOKS.get(signal["kind"], UNKNOWN_LOOK)


def _label(signal: Mapping[str, Any]) -> Label:
    words = f"{str(signal['kind']).replace('_', ' ')} {score(signal['confidence'])}"
    return Label(words, str(signal["reason"]), _look(signal))
