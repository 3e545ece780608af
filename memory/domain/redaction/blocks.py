"""Private keys in blocks, as programs write them, whole or cut off."""

import re
from bisect import bisect_left

from memory.domain.redaction.rule import Sighting

_MAX_CHARACTERS = 32_000
_BREAK = r"(?:\s|\\[nr])"
_NAME = r"(?:(?:[A-Z0-9]{1,12}\s{1,3}){0,4}PRIVATE\s{1,3}KEY(?:\s{1,3}BLOCK)?)"
_BEGIN = re.compile(rf"-----\s{{0,3}}BEGIN\s{{1,3}}{_NAME}\s{{0,3}}-----")
_END = re.compile(rf"-----\s{{0,3}}END\s{{1,3}}{_NAME}\s{{0,3}}-----")
_BODY = re.compile(rf"(?:{_BREAK}{{1,4}}[A-Za-z0-9+/=]{{20,}})*")


def scan(text: str, _folded: str) -> list[Sighting]:
    """Blocks of private keys."""
    if "PRIVATE" not in text:
        return []
    ends = [match.end() for match in _END.finditer(text)]
    found: list[Sighting] = []
    position = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() >= position:
            position = _end_of(text, begin.end(), ends)
            found.append((begin.start(), position, "private key"))
    return found


def _end_of(text: str, start: int, ends: list[int]) -> int:
    index = bisect_left(ends, start)
    if index < len(ends) and ends[index] - start <= _MAX_CHARACTERS:
        return ends[index]
    # The end mark is missing or lies in another text: take the lines that can only be key material.
    body = _BODY.match(text, start)
    return body.end() if body else start
