"""The characters that a match can begin with, read off the pattern itself.

Python looks for a class of characters far faster than for anything else; a pattern that begins
with the edge of a word or with a choice is tried at each character of a text.
"""

import re
from collections.abc import Mapping, Sequence
from re import _constants as codes  # type: ignore[attr-defined] # no public name for the parse tree
from typing import NamedTuple, cast

from memory.domain.perceptor.literals import REPEATS, Item

# The group that holds the match itself where it is looked for by its first character.
MATCH = "match"
_EMPTY_WIDTH = (codes.AT, codes.ASSERT, codes.ASSERT_NOT)
_CLASSES = {codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_SPACE: r"\s"}


class Opening(NamedTuple):
    """Members of a class, one of which is the first character of a match; None if it may be any.

    Where `may_be_empty`, what follows may come first as well.
    """

    members: frozenset[str] | None
    may_be_empty: bool = False


_ANY = Opening(None)


def opening_of(items: Sequence[Item], lists: Mapping[str, Opening]) -> Opening:
    """How a match of these items begins; `lists` tells it of single characters that stand in."""
    members = frozenset[str]()
    for code, detail in items:
        if code in _EMPTY_WIDTH:
            continue
        each = _opening_of_item(code, detail, lists)
        if each.members is None:
            return _ANY
        members |= each.members
        if not each.may_be_empty:
            return Opening(members)
    return Opening(members, may_be_empty=True)


def sooner_found(source: str, opening: Opening) -> str:
    """A pattern that matches where this one does, with the match itself in a group."""
    if not opening.members or opening.may_be_empty:
        return source
    first = f"[{''.join(sorted(opening.members))}]"
    return f"{first}(?<=(?=(?P<{MATCH}>{source})){first})"


def span_of(match: re.Match[str]) -> tuple[int, int]:
    """Where the match of a pattern stands, however it was looked for."""
    return match.span(MATCH) if MATCH in match.re.groupindex else match.span()


def _opening_of_item(code: object, detail: object, lists: Mapping[str, Opening]) -> Opening:
    if code is codes.LITERAL:
        return _of_character(chr(cast("int", detail)), lists)
    if code is codes.IN:
        members = cast("list[Item]", detail)
        return _of_any([_of_member(member, lists) for member in members])
    if code is codes.SUBPATTERN:
        return opening_of(cast("tuple[object, int, int, Sequence[Item]]", detail)[3], lists)
    if code is codes.ATOMIC_GROUP:
        return opening_of(cast("Sequence[Item]", detail), lists)
    if code is codes.BRANCH:
        branches = cast("tuple[object, Sequence[Sequence[Item]]]", detail)[1]
        return _of_any([opening_of(branch, lists) for branch in branches])
    if code in REPEATS:
        least, _, items = cast("tuple[int, int, Sequence[Item]]", detail)
        inner = opening_of(items, lists)
        return Opening(inner.members, inner.may_be_empty or least == 0)
    return _ANY


def _of_any(openings: Sequence[Opening]) -> Opening:
    known = [each.members for each in openings if each.members is not None]
    if len(known) < len(openings):
        return _ANY
    may_be_empty = any(each.may_be_empty for each in openings)
    return Opening(frozenset[str]().union(*known), may_be_empty)


def _of_member(member: Item, lists: Mapping[str, Opening]) -> Opening:
    code, detail = member
    if code is codes.LITERAL:
        return _of_character(chr(cast("int", detail)), lists)
    if code is codes.RANGE:
        first, last = cast("tuple[int, int]", detail)
        return Opening(frozenset((f"{re.escape(chr(first))}-{re.escape(chr(last))}",)))
    written = _CLASSES.get(detail) if code is codes.CATEGORY else None
    return Opening(frozenset((written,))) if written else _ANY


def _of_character(character: str, lists: Mapping[str, Opening]) -> Opening:
    return lists.get(character) or Opening(frozenset((re.escape(character),)))
