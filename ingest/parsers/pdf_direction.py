"""Text that runs from right to left, put from the order of its shapes into that of reading."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

_RIGHT_TO_LEFT = frozenset(("R", "AL"))
_NUMBERS = frozenset(("EN", "AN"))
# What may stand inside a number or right beside it.
_OF_NUMBERS = frozenset(("ES", "CS", "ET"))
# Shapes so far apart, in widths of the usual one, are two words.
_APART = 0.3
# Final forms of Hebrew letters, and teh marbuta and alef maksura of Arabic.
_FINAL_LETTERS = frozenset("\u05da\u05dd\u05df\u05e3\u05e5\u0629\u0649")
_PUNCTUATION = ".,:;!?()[]\"'-\u060c\u061b\u061f"
_PAIRS = {"(": ")", "[": "]", "{": "}", "«": "»", "‹": "›"}  # noqa: RUF001 - quotation marks
_RIGHT_TO_LEFT_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")


@dataclass(frozen=True, slots=True)
class Glyph:
    """What one shape on the page says, one or more characters, and from where to where it is."""

    text: str
    left: float
    right: float
    is_space: bool = False


def has_right_to_left(text: str) -> bool:
    """Whether one of the characters is of a script that runs from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT_LETTER.search(text) is not None


def is_right_to_left(text: str) -> bool:
    """Whether most of its letters are of such a script."""
    if text.isascii():
        return False
    kinds = [unicodedata.bidirectional(each) for each in text]
    return sum(kind in _RIGHT_TO_LEFT for kind in kinds) > kinds.count("L")


def direction_errors(text: str) -> int:
    """How many words look written backwards, less those that look right.

    Some letters end words only, and the Arabic article only begins them.
    """
    return sum(_looks_backwards(word) - _looks_backwards(word[::-1]) for word in text.split())


def text_as_seen(glyphs: Sequence[Glyph]) -> str:
    """The text of one line from left to right, as programs lay it out that know no direction."""
    ordered = sorted(glyphs, key=lambda glyph: (glyph.left + glyph.right) / 2)
    return " ".join("".join(_spaced(_with_marks(ordered))).split())


def reading_text(glyphs: Sequence[Glyph], *, is_page_right_to_left: bool) -> str:
    """The text of one line from its shapes, in whatever order they come.

    Shape: a space stands where one was written or where the shapes stand apart.
    """
    seen = _with_marks(sorted(glyphs, key=lambda glyph: (glyph.left + glyph.right) / 2))
    clusters = _spaced(seen)
    kinds = _directions([_kind(cluster) for cluster in clusters])
    pairs = list(zip(kinds, clusters, strict=True))
    is_base_right = is_page_right_to_left or is_right_to_left("".join(clusters))
    text = _leftwards(pairs) if is_base_right else _rightwards(pairs)
    return _with_pairs_in_order(" ".join(text.split()))


def _looks_backwards(word: str) -> bool:
    letters = word.strip(_PUNCTUATION)
    return len(letters) > 2 and (letters[0] in _FINAL_LETTERS or letters.endswith("\u0644\u0627"))


def _leftwards(pairs: list[tuple[str, str]]) -> str:
    """The text of a line that is read from its right end, words of the other direction kept."""
    parts = []
    for is_forward, run in groupby(pairs, key=lambda pair: pair[0] in "LN"):
        texts = [text for _, text in run]
        parts.append("".join(texts if is_forward else texts[::-1]))
    return "".join(reversed(parts))


def _rightwards(pairs: list[tuple[str, str]]) -> str:
    """The text of a line that is read from its left end, words of the other direction turned."""
    parts = []
    for is_forward, run in groupby(pairs, key=lambda pair: pair[0] == "L"):
        part = list(run)
        turned = [place for place, (kind, _) in enumerate(part) if kind == "R"]
        if is_forward or not turned:
            parts.append("".join(text for _, text in part))
            continue
        first, end = turned[0], turned[-1] + 1
        parts.append("".join(text for _, text in part[:first]))
        parts.append(_leftwards(part[first:end]))
        parts.append("".join(text for _, text in part[end:]))
    return "".join(parts)


def _with_marks(glyphs: list[Glyph]) -> list[Glyph]:
    """Vowel points and accents behind the letter they stand on."""
    letters = [glyph for glyph in glyphs if not _is_mark(glyph)]
    for mark in filter(_is_mark, glyphs):
        middle = (mark.left + mark.right) / 2
        place = min(
            range(len(letters)),
            key=lambda each: abs((letters[each].left + letters[each].right) / 2 - middle),
            default=None,
        )
        if place is not None:
            base = letters[place]
            letters[place] = Glyph(base.text + mark.text, base.left, base.right, base.is_space)
    return letters


def _is_mark(glyph: Glyph) -> bool:
    return bool(glyph.text) and unicodedata.category(glyph.text[0]) == "Mn"


def _spaced(glyphs: list[Glyph]) -> list[str]:
    widths = sorted(glyph.right - glyph.left for glyph in glyphs if not glyph.is_space)
    usual = widths[len(widths) // 2] if widths else 0.0
    clusters: list[str] = []
    before: Glyph | None = None
    for glyph in glyphs:
        is_apart = before is not None and glyph.left - before.right > _APART * usual
        if (glyph.is_space or is_apart) and clusters and clusters[-1] != " ":
            clusters.append(" ")
        if not glyph.is_space:
            clusters.append(glyph.text)
            before = glyph
    return clusters


def _kind(cluster: str) -> str:
    """R, L, N for a number, S for what goes with numbers, or O for all that has no direction."""
    kind = unicodedata.bidirectional(cluster[0])
    if kind in _RIGHT_TO_LEFT:
        return "R"
    if kind in _NUMBERS:
        return "N"
    if kind in _OF_NUMBERS:
        return "S"
    return "L" if kind == "L" else "O"


def _directions(kinds: list[str]) -> list[str]:
    """R, L or N for what runs so, O for what takes the direction of the line."""
    resolved = list(kinds)
    for place, kind in enumerate(kinds):
        if kind == "S":
            beside = kinds[max(place - 1, 0) : place + 2 : 2]
            resolved[place] = "N" if beside == ["N", "N"] else "O"
    _between(resolved)
    return resolved


def _between(kinds: list[str]) -> None:
    """Give what stands between two of the same direction that direction."""
    strong = [place for place, kind in enumerate(kinds) if kind != "O"]
    for first, last in pairwise(strong):
        ends = {kinds[first], kinds[last]}
        # Two numbers with a space between them are two words, which follow the line.
        if ends <= {"L", "N"} and "L" in ends:
            kinds[first + 1 : last] = ["L"] * (last - first - 1)
        elif ends == {"R"}:
            kinds[first + 1 : last] = ["R"] * (last - first - 1)


def _with_pairs_in_order(text: str) -> str:
    """Brackets made to open before they close: the page shows them from either side."""
    signs = list(text)
    for opened, closed in _PAIRS.items():
        places = [place for place, sign in enumerate(signs) if sign in {opened, closed}]
        if _is_balanced([signs[place] == opened for place in places]):
            continue
        for turn, place in enumerate(places):
            is_alone = turn == len(places) - 1 and not turn % 2
            opens = _opens(signs, place) if is_alone else not turn % 2
            signs[place] = opened if opens else closed
    return "".join(signs)


def _is_balanced(openings: list[bool]) -> bool:
    depth = 0
    for opens in openings:
        depth += 1 if opens else -1
        if depth < 0:
            return False
    return depth == 0


def _opens(signs: list[str], place: int) -> bool:
    """Whether a bracket without a second one stands before a word rather than behind it."""
    return place == 0 or signs[place - 1] == " "
