"""Transcripts in lines: chat exports, Markdown, and plain “Name: text” with what follows it."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.domain.fields import Role
from memory.domain.transcripts.names import is_name
from memory.domain.transcripts.said import Said, refusal, role_of
from memory.domain.transcripts.stamps import STAMP, UNBOXED_STAMP, Stamp, moments_of, stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, tzinfo

NOBODY = (
    "No line begins with a speaker. Write each turn as “Name: what was said”, or send one JSON "
    "object a line with “role” and “content”."
)
_MARKS = "[\u200e\u200f\ufeff]*"
_DASH = "[-\u2013\u2014]"
# A full-width colon needs no space after it.
_COLON = r"(?::(?:\s|$)|\uff1a\s?)"
_NAME = r"[^:\uff1a\n]{1,60}?"
_IN_BRACKETS = rf"[\[(](?P<stamp>{STAMP})[\])]"
_BOXED = re.compile(rf"{_MARKS}\s{{0,3}}(?:\[(?P<box>{STAMP})\]|\((?P<arc>{STAMP})\))(?P<rest>.*)")
_BARE = re.compile(
    rf"{_MARKS}\s{{0,3}}(?P<stamp>{UNBOXED_STAMP})(?P<dash>\s{_DASH})?\s(?P<rest>\S.*)"
)
_NAMED = re.compile(
    rf"(?:\s|{_DASH}){{0,3}}(?:<(?P<nick>[^<>]{{1,60}})>\s|(?P<name>{_NAME})\s?{_COLON})(?P<rest>.*)"
)
_BOLD = re.compile(
    r"\s{0,3}(?:[-*]\s)?\*\*(?P<name>[^*\n]{1,60}?)(?P<colon>[:\uff1a]?)\*\*(?P<after>.*)"
)
_AFTER_BOLD = re.compile(rf"\s?(?:{_IN_BRACKETS})?\s?(?P<colon>[:\uff1a]?)(?P<rest>.*)")
_HEADING = re.compile(r"(?P<level>#{1,6})\s(?P<name>.{1,80})")
_PLAIN = re.compile(rf"{_MARKS}(?P<name>{_NAME})\s?(?:{_IN_BRACKETS})?\s?{_COLON}(?P<rest>.*)")
_STAMPED_NAME = re.compile(rf"(?P<name>.*?)\s?{_IN_BRACKETS}\s?")
_BULLET = re.compile(r"\s{0,3}[-*\u2022]\s(?P<rest>.*)")
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Head:
    """The line that begins a turn: who speaks, when, and what stands on the same line."""

    speaker: str
    rest: str
    stamp: Stamp | None = None
    level: int = 0


def read_lines(text: str, *, zone: "tzinfo", today: "date") -> list[Said]:
    """The turns of a transcript in lines; what stands before the first is of the system.

    Raises: InvalidInput when no line begins with a speaker.
    """
    lines = text.split("\n")
    heads = _heads(lines)
    turns = _turns(lines, heads)
    if not any(head and head.speaker for _, head, _ in turns):
        raise refusal(NOBODY)
    stamps = [head.stamp if head else None for _, head, _ in turns]
    moments = moments_of(stamps, zone=zone, today=today)
    return [
        Said(
            speaker=head.speaker if head else "",
            text=said,
            line=line,
            role=role_of(head.speaker) if head and head.speaker else Role.SYSTEM.value,
            said_at=moment,
        )
        for (line, head, said), moment in zip(turns, moments, strict=True)
    ]


def _turns(lines: list[str], heads: "Mapping[int, Head]") -> list[tuple[int, Head | None, str]]:
    turns: list[tuple[int, Head | None, list[str]]] = [(1, None, [])]
    for number, line in enumerate(lines, 1):
        head = heads.get(number)
        if head is None:
            turns[-1][2].append(line)
            continue
        _fold_back(turns, lines)
        turns.append((number, head, [head.rest]))
    _fold_back(turns, lines)
    return [(line, head, "\n".join(said).strip()) for line, head, said in turns if any(said)]


def _fold_back(turns: list[tuple[int, Head | None, list[str]]], lines: list[str]) -> None:
    """A name with nothing said is no turn, but part of what was said before it."""
    line, head, said = turns[-1]
    if head is not None and not any(each.strip() for each in said):
        turns.pop()
        turns[-1][2].append(lines[line - 1])


def _heads(lines: list[str]) -> dict[int, Head]:
    """The lines that begin a turn, in the one style that the transcript is written in."""
    fenced = _fenced(lines)
    found: dict[str, dict[int, Head]] = {name: {} for name in _STYLES}
    for number, line in enumerate(lines, 1):
        if number in fenced or not line.strip():
            continue
        for name, style in _STYLES.items():
            if head := style(line):
                found[name][number] = head
    found["heading"] = _of_one_level(found["heading"])
    return max(found.values(), key=lambda heads: _weight(heads, found))


def _weight(heads: "Mapping[int, Head]", found: "Mapping[str, Mapping[int, Head]]") -> int:
    named = sum(bool(head.speaker) for head in heads.values())
    if not named:
        return 0
    first = min(min(each) for each in found.values() if each)
    is_first = min(heads) == first
    is_marked = heads is not found["plain"] and heads is not found["bullet"]
    return named * (2 if is_marked else 1) * (2 if is_first else 1)


def _of_one_level(heads: dict[int, Head]) -> dict[int, Head]:
    """Headings that name speakers: of one level, and said often or known where others are."""
    if not heads:
        return heads
    level = Counter(head.level for head in heads.values()).most_common(1)[0][0]
    same = {line: head for line, head in heads.items() if head.level == level}
    often = Counter(head.speaker for head in same.values())
    sure = {name for name, times in often.items() if times > 1 or role_of(name)}
    return {line: head for line, head in same.items() if len(sure) < 2 or head.speaker in sure}


def _fenced(lines: list[str]) -> set[int]:
    """The lines of code blocks, where a name with a colon is no speaker."""
    # A block may open on the line that begins a turn.
    fences = [number for number, line in enumerate(lines, 1) if line.count(_FENCE) % 2]
    pairs = zip(fences[::2], fences[1::2], strict=False)
    return {number for begin, end in pairs for number in range(begin + 1, end + 1)}


def _stamped(line: str) -> Head | None:
    boxed = _BOXED.fullmatch(line)
    if boxed:
        stamp, rest, is_sure = stamp_of(boxed["box"] or boxed["arc"]), boxed["rest"], True
    elif bare := _BARE.fullmatch(line):
        stamp, rest, is_sure = stamp_of(bare["stamp"]), bare["rest"], bool(bare["dash"])
    else:
        return None
    if stamp is None:
        return None
    named = _NAMED.fullmatch(rest)
    if named:
        return Head((named["nick"] or named["name"]).strip(), named["rest"], stamp)
    # An export tells by such lines that somebody came or left.
    return Head("", rest, stamp) if is_sure and stamp.numbers else None


def _bold(line: str) -> Head | None:
    match = _BOLD.fullmatch(line)
    after = _AFTER_BOLD.fullmatch(match["after"]) if match else None
    if match is None or after is None:
        return None
    name, stamp = _name_and_stamp(match["name"])
    beside = stamp_of(after["stamp"]) if after["stamp"] else None
    if not name or not (match["colon"] or after["colon"] or beside):
        return None
    is_understood = beside or not after["stamp"]
    return Head(name, after["rest"] if is_understood else match["after"], stamp or beside)


def _heading(line: str) -> Head | None:
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    name, stamp = _name_and_stamp(match["name"].strip(" *:\uff1a"))
    return Head(name, "", stamp, len(match["level"])) if is_name(name) else None


def _bullet(line: str) -> Head | None:
    match = _BULLET.fullmatch(line)
    return _plain(match["rest"]) if match else None


def _plain(line: str) -> Head | None:
    match = _PLAIN.fullmatch(line)
    if match is None or not is_name(match["name"].strip()):
        return None
    stamp = stamp_of(match["stamp"]) if match["stamp"] else None
    is_understood = stamp or not match["stamp"]
    return Head(match["name"].strip(), match["rest"], stamp) if is_understood else None


def _name_and_stamp(written: str) -> tuple[str, Stamp | None]:
    match = _STAMPED_NAME.fullmatch(written)
    stamp = stamp_of(match["stamp"]) if match else None
    return (match["name"].strip(), stamp) if match and stamp else (written.strip(), None)


_STYLES: "dict[str, Callable[[str], Head | None]]" = {
    "stamped": _stamped,
    "bold": _bold,
    "heading": _heading,
    "bullet": _bullet,
    "plain": _plain,
}
