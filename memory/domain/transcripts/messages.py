"""Transcripts in JSON: one message a line, or a list of them, in the shapes that programs write."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from memory.domain.moments import moment_or_none
from memory.domain.text import clean_text
from memory.domain.transcripts.said import Said, refusal, role_of

SPEAKERS = ("speaker", "name", "author", "from", "sender")
TEXTS = ("text", "content", "message", "body")
TIMES = ("time", "timestamp", "observed_at", "created_at", "date", "ts")
LISTS = ("messages", "turns", "conversation")
NO_TEXT = "{} has no text. A message needs “role” or “speaker”, and “text” or “content”."
NO_SPEAKER = "{} names no speaker. Give it a “role”, a “speaker” or a “name”."
NO_MESSAGE = "{} is no message. It must be an object with “role” or “speaker”, and “content”."
_BEGINS = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\]{])')
_SPACE = re.compile(r"[\s,]*")
_THOUSANDTHS = 100_000_000_000
_DEEP = "it is nested too deeply"


@dataclass(frozen=True, slots=True)
class _Item:
    """One message, the line it begins on, and how a refusal names it."""

    value: Any
    line: int
    named: str


def is_json(text: str) -> bool:
    """Whether a text begins as messages in JSON do; “[10:22] Name: text” does not."""
    return bool(_BEGINS.match(text))


def read_messages(text: str, *, zone: tzinfo) -> list[Said]:
    """The messages of a text in JSON, those without text included.

    Raises: InvalidInput naming the line that is no JSON or no message.
    """
    return [_said(item, zone) for item in _items(text)]


def _items(text: str) -> Iterator[_Item]:
    if text.lstrip().startswith("["):
        yield from _listed(text)
        return
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield from _expanded(_Item(_decoded(line, number), number, f"Line {number:,}"))
    else:
        yield from _expanded(_Item(whole, 1, "Line 1"))


def _listed(text: str) -> Iterator[_Item]:
    """The items of a list, one by one, so that each knows its line."""
    decoder, place = json.JSONDecoder(), text.index("[") + 1
    line, counted = 1, 0
    while True:
        place = _SPACE.match(text, place).end()  # type: ignore[union-attr]  # it matches nothing too
        line, counted = line + text.count("\n", counted, place), place
        if text[place : place + 1] == "]":
            break
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise _no_json(error, line) from None
        yield _Item(value, line, f"Line {line:,}")
    if text[place + 1 :].strip():
        raise refusal(f"Line {line:,}: there is more after the end of the list. Take it out.")


def _expanded(item: _Item) -> Iterator[_Item]:
    """The messages inside an object that holds a list of them, or the message itself."""
    held = item.value if isinstance(item.value, dict) else {}
    inside = next((held[name] for name in LISTS if isinstance(held.get(name), list)), None)
    if inside is None:
        yield item
        return
    for number, value in enumerate(inside, 1):
        yield _Item(value, item.line, f"{item.named}, message {number:,}")


def _decoded(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _no_json(error, number) from None


def _no_json(error: Exception, line: int) -> Exception:
    reason, lines_down = _DEEP, 0
    if isinstance(error, json.JSONDecodeError):
        reason, lines_down = error.msg, error.lineno - 1
    elif isinstance(error, ValueError):
        reason = str(error)
    # A list is decoded as a whole, so its errors know their line already.
    number = max(line, lines_down + 1)
    return refusal(f"Line {number:,} is no JSON: {reason}. Mend the line or take it out.")


def _said(item: _Item, zone: tzinfo) -> Said:
    message = item.value
    if not isinstance(message, dict):
        raise refusal(NO_MESSAGE.format(item.named))
    role = _word(message.get("role")) or _word(_inside(message.get("author"), "role"))
    speaker = next((name for key in SPEAKERS if (name := _word(message.get(key)))), "") or role
    if not speaker:
        raise refusal(NO_SPEAKER.format(item.named))
    given = next((key for key in TEXTS if key in message), None)
    text = None if given is None else _text(message[given])
    if text is None:
        raise refusal(NO_TEXT.format(item.named))
    return Said(
        speaker=speaker,
        text=clean_text(text).strip(),
        line=item.line,
        role=role_of(role or speaker),
        said_at=_moment(message, item, zone),
    )


def _inside(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _word(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("name")
    return " ".join(clean_text(value).split()) if isinstance(value, str) else ""


def _text(value: object) -> str | None:
    """The words of a content, which may be a text, nothing, or a list of parts."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [_part(part) for part in value]
        return "\n".join(part for part in parts if part)
    if isinstance(value, dict):
        held = next((value[key] for key in ("parts", "text", "value") if key in value), None)
        return _text(held) if held is not None and not isinstance(held, dict) else _part(value)
    return None


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    text = _inside(part, "text") or _inside(part, "content")
    if isinstance(text, dict):
        text = text.get("value")
    if isinstance(text, str):
        return text
    kind = _inside(part, "type")
    # What is no text is named where it stood.
    return f"[{kind}]" if isinstance(kind, str) else ""


def _moment(message: dict[str, Any], item: _Item, zone: tzinfo) -> datetime | None:
    written = next((message[key] for key in TIMES if message.get(key) not in (None, "")), None)
    if written is None:
        return None
    moment = moment_or_none(_parsed(written, zone))
    if moment is None:
        shown = str(written)[:40]
        raise refusal(
            f"{item.named}: the time “{shown}” is not understood. "
            "Write it as 2026-01-31T09:30:00+01:00, or leave it out."
        )
    return moment


def _parsed(written: object, zone: tzinfo) -> datetime | None:
    try:
        if isinstance(written, str) and not written.strip().replace(".", "", 1).isdigit():
            moment = datetime.fromisoformat(written.strip())
            return moment if moment.tzinfo else moment.replace(tzinfo=zone)
        if isinstance(written, bool) or not isinstance(written, str | int | float):
            return None
        seconds = float(written)
        return datetime.fromtimestamp(seconds / 1000 if seconds > _THOUSANDTHS else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
