"""Masking of secrets before a text is stored, indexed, embedded, logged or sent to a model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from memory.domain.redaction.finding import Claimed, look_at, merged, replaced
from memory.domain.redaction.masks import MASK, mask_of
from memory.domain.redaction.services import service_of

__all__ = ["MASK", "Found", "Redaction", "find_secrets", "mask_of", "redact"]

_MAX_ROUNDS = 6
_REPEATED, _LEAST_REPEATED = 16, 6


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text with its secrets masked, and the kinds of secret that were found."""

    text: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One secret of a text: what it is, where it stands, and whose it seems to be.

    Units: `start` and `end` are character offsets into the text as given.
    """

    kind: str
    start: int
    end: int
    value: str = field(repr=False)
    service: str = ""


def redact(text: str) -> Redaction:
    """The text with every recognised secret replaced by a mask that names its kind.

    Redacting twice changes nothing more.
    """
    found = _all_found(text)
    if not found:
        return Redaction(text, ())
    kinds = dict.fromkeys(each.kind for each in sorted(found, key=attrgetter("rank")))
    return Redaction(replaced(text, found), tuple(kinds))


def find_secrets(text: str, *, has_owners: bool = True) -> tuple[Found, ...]:
    """Every recognised secret, in the order of the text; without owners, nobody's."""
    return tuple(
        Found(each.kind, each.start, each.end, text[each.start : each.end], each.service)
        for each in _all_found(text, has_owners=has_owners)
    )


def _all_found(text: str, *, has_owners: bool = False) -> list[Claimed]:
    looked = look_at(text)
    found = looked.claims()
    if not found:
        return []
    owned = _with_services if has_owners else _without_services
    found = owned(text, _with_repeats(text, found))
    # A mask can bring a name and a value together, so the rules look until nothing changes.
    for _ in range(_MAX_ROUNDS):
        masked = looked.masked(found)
        more = masked.claims()
        if not more:
            break
        found = _joined(found, _in_place(found, owned(masked.text, more)))
    return found


def _with_services(text: str, found: Sequence[Claimed]) -> list[Claimed]:
    parts: list[str] = []
    position = 0
    for each in found:
        parts += (text[position : each.start], "\n" * (each.end - each.start))
        position = each.end
    public = "".join((*parts, text[position:]))
    return [replace(each, service=service_of(public, each)) for each in found]


def _without_services(_text: str, found: list[Claimed]) -> list[Claimed]:
    return found


def _in_place(found: Sequence[Claimed], more: Sequence[Claimed]) -> Iterator[Claimed]:
    """Claims on the masked text, as claims on the text itself.

    None of them reaches into a mask, so all that differs is how far the masks have moved them.
    """
    shift, ahead = 0, 0
    for each in more:
        while ahead < len(found) and found[ahead].start - shift <= each.start:
            mask = len(mask_of(found[ahead].kind))
            shift += found[ahead].end - found[ahead].start - mask
            ahead += 1
        yield replace(each, start=each.start + shift, end=each.end + shift)


def _joined(found: Sequence[Claimed], more: Iterator[Claimed]) -> list[Claimed]:
    return sorted((*found, *more), key=attrgetter("start"))


def _with_repeats(text: str, found: list[Claimed]) -> list[Claimed]:
    """With the places where the same value stands once more without its name."""
    values = dict.fromkeys(text[each.start : each.end] for each in found)
    taken = {each.start for each in found}
    more: list[Claimed] = []
    for value in list(values)[:_REPEATED]:
        if len(value) >= _LEAST_REPEATED and text.count(value) > 1:
            more += _repeats(text, value, found, taken)
    return merged([*found, *more]) if more else found


def _joins(neighbor: str) -> bool:
    """Whether what stands beside a value makes a longer word of it; Chinese has no spaces."""
    return neighbor.isalnum() and not "\u3400" <= neighbor <= "\u9fff"


def _repeats(text: str, value: str, found: Sequence[Claimed], taken: set[int]) -> Iterator[Claimed]:
    first = next(each for each in found if text[each.start : each.end] == value)
    start = text.find(value)
    while start >= 0:
        end = start + len(value)
        is_whole = not (_joins(text[start - 1 : start]) or _joins(text[end : end + 1]))
        if start not in taken and is_whole and not text.endswith(MASK, 0, start):
            yield replace(first, start=start, end=end)
        start = text.find(value, end)
