"""Masks in texts: real ones, those that somebody wrote by hand, and what is glued to them."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from memory.domain.redaction.rule import Sighting, Span
from memory.domain.redaction.values import is_harmless, is_jumble, is_strong

MASK = "[secret: "
KINDS = (
    *("API key", "bearer token", "card number", "identity number", "one-time code", "password"),
    *("PIN", "private key", "recovery code", "recovery phrase", "secret", "token", "webhook"),
)
_KIND = "|".join(sorted(KINDS))
_MASK = re.compile(rf"\[secret: (?P<kind>{_KIND})\]")
# It only looks like a mask, so it hides nothing.
_FEIGNED = re.compile(rf"\[(?i:(?!secret: (?:{_KIND})\])secret:[^\[\]\n]{{0,60}}\])")
_MOST = 256
_ENDS_A_RUN = "\\s,;:=/@\"'`<>()\\[\\]{}，。；：、"  # noqa: RUF001
_RUN = re.compile(rf"[A-Za-z0-9][^{_ENDS_A_RUN}]{{5,{_MOST}}}+")
_END_OF_RUN = re.compile(rf"[{_ENDS_A_RUN}]")
# The rest of a key that a line's end has broken, alone on its line.
_NEXT_LINE = re.compile(
    rf"-?[ \t]{{0,2}}\n[ \t]{{0,4}}(?P<run>[A-Za-z0-9][^{_ENDS_A_RUN}]{{7,{_MOST}}}+)"
    r"(?=[ \t]{0,2}(?:\n|$))"
)
_KEYS = frozenset(("API key", "bearer token", "private key", "token", "secret"))
_TRAILING = ".!?*_-"


def mask_of(kind: str) -> str:
    """What stands in the place of a secret of this kind."""
    return f"{MASK}{kind}]"


def places_of_masks(text: str) -> list[Span]:
    """Where real masks stand."""
    return [match.span() for match in _MASK.finditer(text)] if MASK in text else []


class Masks:
    """The real masks of a text: what begins in one is no secret, and none goes on behind one."""

    def __init__(self, text: str) -> None:
        self._spans = places_of_masks(text)
        self._begins = [begin for begin, _ in self._spans]

    def hold_inside(self, place: int) -> bool:
        """Whether the place is in a mask, but not where that begins."""
        span = self._last_before(place)
        return span is not None and span[0] < place < span[1]

    def before(self, span: Span | None) -> Span | None:
        """The span cut off where a mask begins; None if it begins inside one."""
        if span is None or not self._spans:
            return span
        mask = self._last_before(span[0])
        if mask and span[0] < mask[1]:
            return None
        following = bisect_right(self._begins, span[0])
        end = self._begins[following] if following < len(self._begins) else span[1]
        return span[0], min(span[1], end)

    def _last_before(self, place: int) -> Span | None:
        number = bisect_right(self._begins, place) - 1
        return self._spans[number] if number >= 0 else None


NO_MASKS = Masks("")


def places_of_feigned_masks(text: str) -> list[Span]:
    """Where somebody wrote what only looks like a mask."""
    return [match.span() for match in _FEIGNED.finditer(text)]


def glued(text: str) -> Iterator[Sighting]:
    """What is no word and stands right behind or before a mask: the secret goes on there."""
    for mask in _MASK.finditer(text):
        behind = _RUN.match(text, mask.end())
        if behind:
            run = behind[0].rstrip(_TRAILING)
            if _goes_on(run):
                yield mask.end(), mask.end() + len(run), mask["kind"]
        below = _NEXT_LINE.match(text, mask.end()) if mask["kind"] in _KEYS else None
        if below and is_jumble(below["run"]) and not is_harmless(below["run"]):
            yield *below.span("run"), mask["kind"]
        before = _END_OF_RUN.split(text[max(mask.start() - _MOST, 0) : mask.start()])[-1]
        if before[-1:].isalnum() and _goes_on(before):
            yield mask.start() - len(before), mask.start(), mask["kind"]


def _goes_on(run: str) -> bool:
    return is_strong(run) and any(map(str.isdigit, run)) and not is_harmless(run)
