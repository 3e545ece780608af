"""The lines that the child program sends: one JSON list each, its first item naming what it is."""

import json
from dataclasses import dataclass

from ingest.domain.elements import Box, Element, ElementKind
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.unpacking import HeldFile


@dataclass(frozen=True, slots=True)
class End:
    """The document was read to its end."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The document cannot be read, and why, for its owner."""

    reason: str


@dataclass(frozen=True, slots=True)
class Locked:
    """The document cannot be read with the password that was given, or with none."""

    reason: str


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The parser asked for more memory than its limit."""


_KINDS = {str(kind.value): kind for kind in ElementKind}
_write = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":")).encode

Message = Element | Pages | SlowPage | HeldFile | End | Failure | Locked | OutOfMemory


def encode(message: Message) -> bytes:
    """One line for one message; ASCII, so that no character of a document can break it."""
    return _write(_fields(message)).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message in a line.

    Raises: ValueError if the line is none that `encode` writes.
    """
    match json.loads(line.decode("ascii")):
        case ["element", kind, text, page, path, *box] if _is_element(kind, text, page, path):
            return Element(_KINDS[kind], text, page, tuple(path), _box(box) if box else None)
        case ["pages", int(done), int(total)]:
            return Pages(done, total)
        case ["slow-page"]:
            return SlowPage()
        case ["held", str(path), str(file), str(reason)]:
            return HeldFile(path, file, reason)
        case ["end"]:
            return End()
        case ["failure" | "locked" as kind, str(reason)]:
            return Failure(reason) if kind == "failure" else Locked(reason)
        case ["out-of-memory"]:
            return OutOfMemory()
    raise ValueError("The line is no message of the parser protocol.")


def _is_element(kind: object, text: object, page: object, path: object) -> bool:
    """Written out, for a pattern takes several times as long, and a document has many elements."""
    return (
        isinstance(kind, str)
        and kind in _KINDS
        and isinstance(text, str)
        and (page is None or isinstance(page, int))
        and isinstance(path, list)
        and all(isinstance(heading, str) for heading in path)
    )


def _box(shares: list[object]) -> Box:
    match shares:
        case [float(left), float(top), float(right), float(bottom)]:
            return left, top, right, bottom
    raise ValueError("A box has four shares of its page.")


def _fields(message: Message) -> list[object]:
    match message:
        case Element():
            return [
                "element",
                message.kind.value,
                message.text,
                message.page,
                list(message.heading_path),
                *(message.box or ()),
            ]
        case Pages():
            return ["pages", message.done, message.total]
        case SlowPage():
            return ["slow-page"]
        case HeldFile():
            return ["held", message.path, message.file, message.reason]
        case End():
            return ["end"]
        case Failure() | Locked():
            kind = "failure" if isinstance(message, Failure) else "locked"
            return [kind, message.reason]
        case OutOfMemory():
            return ["out-of-memory"]
