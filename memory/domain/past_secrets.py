"""Secrets in what a memory said before: found once a later wording tells that they are some."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from memory.domain.record_secrets import masked_fact
from memory.domain.redaction.masks import places_of_masks
from memory.domain.redaction.together import Secret, without
from memory.domain.redaction.values import is_strong

# What was said before is only read: a word too many hidden there costs less than one too few.
_LEAST = 3
_PIECE = re.compile(r"[\[<(][^\[\]<>()\n]{1,40}[\]>)]|[*•●█]{3,}|\w+|[^\w\s]")
_BY_HAND = re.compile(
    r"[*•●█]{3,}|\bx{3,}\b|[\[<(](?:redacted|hidden|removed|masked|secret|censored)[\]>)]",
    re.IGNORECASE,
)
# "***new***" is bold and slanted, and hides nothing.
_EMPHASIS = re.compile(r"(?<![\w*])\*{3}(?=\w)([^*\n]{1,200})(?<=\w)\*{3}(?![\w*])")
_EDGES = ".,;:!?\"'()[]<>"
# A text of one word over and over would be compared for many seconds.
_MOST_ALIKE = 20_000
PAST = ("text", "why", "entity", "key", "value", "tags")


def masked_past(
    state: Mapping[str, Any], secrets: Sequence[Secret], *, now: Mapping[str, Any]
) -> dict[str, Any]:
    """An earlier state of a memory without its own secrets and without these.

    What it still says in `now`, its present state, stays: it would seem to have changed, and Undo
    would put the mask in its place.
    Shape: text, why, entity, key, value and tags, as `PAST` names them.
    """
    safe = masked_fact(state).fields
    return {
        name: safe[name] if state[name] == now[name] else _without(safe[name], secrets, _LEAST)
        for name in PAST
    }


def masked_beside(fields: Mapping[str, Any], hidden: Sequence[Secret]) -> dict[str, Any]:
    """The fields of a memory without what was hidden by hand in one of them.

    A plain word stays, for elsewhere it may be meant.
    """
    strong = [each for each in hidden if is_strong(each.value)]
    return {**fields, **{name: _without(fields[name], strong) for name in PAST if name in fields}}


def _without(said: Any, secrets: Sequence[Secret], *least: int) -> Any:
    if isinstance(said, str):
        return without(said, secrets, *least)
    return type(said)(without(each, secrets, *least) for each in said)


def hidden_by_hand(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Secret, ...]:
    """What a person took out of a memory by writing a mask, stars or “redacted” in its place."""
    found = (
        secret
        for name in PAST
        if name in after and name != "tags"
        for secret in _taken_out(before.get(name) or "", after[name] or "")
    )
    return tuple(dict.fromkeys(found))


def _taken_out(before: str, after: str) -> Iterator[Secret]:
    after = _EMPHASIS.sub(r"\1", after)
    if before == after or not _hides(after):
        return
    old, new = list(_PIECE.finditer(before)), list(_PIECE.finditer(after))
    for i1, i2, j1, j2 in _replaced([m[0] for m in old], [m[0] for m in new]):
        if not any(_hides(piece[0]) for piece in new[j1:j2]):
            continue
        # What was a mask before is none of it.
        for is_mask, some in groupby(old[i1:i2], lambda piece: _hides(piece[0])):
            if not is_mask:
                pieces = list(some)
                yield from _secrets_in(before[pieces[0].start() : pieces[-1].end()])


def _secrets_in(words: str) -> Iterator[Secret]:
    value = words.strip(_EDGES)
    yield Secret("secret", value)
    # With other words beside it, it may stand elsewhere without them.
    alone = (word.strip(_EDGES) for word in value.split())
    yield from (Secret("secret", word) for word in alone if is_strong(word))


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where pieces of the old stand that others of the new took the place of."""
    begin, end = _ends_alike(old, new)
    left, right = old[begin : len(old) - end], new[begin : len(new) - end]
    often = Counter(right)
    if sum(often[piece] for piece in left) > _MOST_ALIKE:
        yield begin, begin + len(left), begin, begin + len(right)
        return
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for change, i1, i2, j1, j2 in matcher.get_opcodes():
        if change == "replace":
            yield begin + i1, begin + i2, begin + j1, begin + j2


def _ends_alike(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many pieces both begin and both end with."""
    most = min(len(old), len(new))
    begin = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - begin) if old[-1 - n] != new[-1 - n]), most - begin)
    return begin, end


def _hides(text: str) -> bool:
    return bool(places_of_masks(text) or _BY_HAND.search(text))
