"""Memories as Markdown notes: one for each point of a list and each paragraph."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import PurePosixPath

from memory.domain.capture import FactDraft
from memory.domain.fields import DecayClass, Kind
from memory.domain.foreign.found import Found, importance_of, labeled, tags_of

WHY = "Imported from Markdown notes."
MOST_KEY_CHARACTERS = 60
MOST_HEADINGS = 3
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_POINT = re.compile(r"(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$")
_FENCE = re.compile(r"\s*(```|~~~)")
_RULE = re.compile(r"\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|[-*+]|\d{1,9}[.)])\s*$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})\s*$")
_TABLE_RULE = re.compile(r"\s*\|[\s:|-]+$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_NO_TOPIC = re.compile(r"[\d\W_]*$")
_NAMED = re.compile(r"(?:\*\*|__)([^*_\n:]+)(?::(?:\*\*|__)|(?:\*\*|__):)\s+(\S.*)$", re.DOTALL)
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_LINE = re.compile(r"([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$")
_FRONT_POINT = re.compile(r"\s*-\s+(.+)$")


@dataclass(slots=True)
class _Block:
    """One point or paragraph, and the headings it stands under."""

    line: int
    headings: list[str]
    is_open_task: bool = False
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    headings: list[tuple[int, str]] = field(default_factory=list)
    block: _Block | None = None
    in_code: bool = False

    def ends_at(self, line: str) -> bool:
        """Whether the block that is open does not reach into this line."""
        if self.in_code:
            return False
        point = _POINT.match(line)
        is_top = point is not None and len(point[1].expandtabs(4)) < 2
        return is_top or not line.strip() or bool(_HEADING.match(line) or _RULE.match(line))

    def underlines(self, line: str) -> bool:
        """Whether this line makes a heading of the one above it."""
        block = self.block
        if block is None or self.in_code or len(block.lines) > 1 or not _UNDERLINE.match(line):
            return False
        depth, self.block = (1 if "=" in line else 2), None
        self._head(depth, block.lines[0])
        return True

    def take(self, line: str, number: int) -> None:
        """Read one more line."""
        if _FENCE.match(line):
            self.in_code = not self.in_code
        elif not self.in_code and self._is_mark(line):
            return
        if not line.strip():
            return
        point = None if self.in_code else _POINT.match(line)
        if self.block is None:
            self.block = _Block(number, [text for _, text in self.headings])
            self.block.is_open_task = point is not None and point[2] == " "
            self.block.lines.append(point[3] if point else line.strip().lstrip("> "))
        else:
            self.block.lines.append(f"- {point[3]}" if point else line.strip().lstrip("> "))

    def _is_mark(self, line: str) -> bool:
        heading = _HEADING.match(line)
        if heading:
            self._head(len(heading[1]), heading[2])
        return bool(heading or _RULE.match(line) or _TABLE_RULE.match(line))

    def _head(self, depth: int, text: str) -> None:
        self.headings = [
            *(each for each in self.headings if each[0] < depth),
            (depth, _plain(text)),
        ]


def memories_in(text: str, *, name: str, known: frozenset[str], zone: tzinfo) -> Iterator[Found]:
    """The memories of one note.

    Shape: `name` is the note's path in its folder; a day in it, as in 2026-01-31.md, dates them.
    """
    text = text.replace("\r\n", "\n")
    front = _front_of(text)
    # Blanked and not cut out, so that the lines keep their numbers.
    body = _COMMENT.sub(_blank, _FRONT.sub(_blank, text))
    for block in _blocks_of(body):
        draft = _draft(block, front, name=name, known=known, zone=zone)
        yield Found(f"{name} line {block.line}", draft)


def _blocks_of(text: str) -> Iterator[_Block]:
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        if reader.underlines(line):
            continue
        if reader.block and reader.ends_at(line):
            yield reader.block
            reader.block = None
        reader.take(line, number)
    if reader.block:
        yield reader.block


def _draft(
    block: _Block, front: Mapping[str, str], *, name: str, known: frozenset[str], zone: tzinfo
) -> FactDraft:
    text = "\n".join(block.lines)
    named = _NAMED.match(text)
    topics = [each for each in block.headings[-MOST_HEADINGS:] if not _NO_TOPIC.match(each)]
    dated = [*reversed(block.headings), PurePosixPath(name).stem, front.get("date", "")]
    day = next((day for each in dated if (day := _day(each, zone))), None)
    labels = labeled(front.get("category"), tags_of(front.get("tags")) + tags_of(topics), known)
    if block.is_open_task:
        labels["kind"] = Kind.PLAN
    is_named = named is not None and len(named[1]) <= MOST_KEY_CHARACTERS
    told = front.get("importance", "")
    return FactDraft(
        text=_plain(text),
        why=WHY,
        key=named[1].strip() if named and is_named else "",
        value=_plain(named[2]) if named and is_named else "",
        source_date=day,
        # What somebody keeps in a list of its own is meant to last; a day's notes are not.
        decay_class=DecayClass.NORMAL if day else DecayClass.DURABLE,
        importance=importance_of(int(told) if re.fullmatch("[0-9]{1,2}", told) else None) or 5,
        **labels,  # type: ignore[arg-type]  # its keys are fields
    )


def _plain(text: str) -> str:
    """The words without the marks for bold type."""
    return re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", text)


def _day(text: str, zone: tzinfo) -> datetime | None:
    told = _DATE.search(text)
    try:
        return datetime.fromisoformat(told[0]).replace(tzinfo=zone) if told else None
    except ValueError:
        return None


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _front_of(text: str) -> dict[str, str]:
    """The lines `name: value` above the note; the points below a name are its values."""
    front: dict[str, str] = {}
    last = ""
    found = _FRONT.match(text)
    for line in found[1].split("\n") if found else []:
        if named := _FRONT_LINE.match(line):
            last = named[1].lower()
            front[last] = named[2].strip().strip("\"'")
        elif (point := _FRONT_POINT.match(line)) and last:
            front[last] = ", ".join(filter(None, [front[last], point[1].strip()]))
    return front
