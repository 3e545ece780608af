"""E-mail by the standard library: the head counts as well as the words."""

import email
from collections.abc import Iterator
from email.errors import MessageError
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import cast

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_stated, decode_text
from ingest.parsers.letters import Letter, read_letter, shown_time
from memory.domain.errors import Permanent

_DEEPEST = 10
_MESSAGE = "message/rfc822"
_header_registry = HeaderRegistry()


def parse(path: Path) -> Iterator[Element | Pages]:
    """The message, then the messages that hang on it.

    Raises: Permanent if it cannot be read.
    """
    with path.open("rb") as file, told_as_damage(MessageError):
        message = email.message_from_binary_file(file, policy=default)
        yield from _read(message, ())


def _read(message: EmailMessage, outer: tuple[str, ...]) -> Iterator[Element]:
    if len(outer) > _DEEPEST:
        raise Permanent("The file is damaged: its messages are nested too deeply.")
    parts = _parts(message)
    letters = [part for part in parts if part.get_content_type() == _MESSAGE]
    spoken = [part for part in parts if _is_spoken(part)]
    letter = Letter(
        subject=_header(message, "subject"),
        sender=_header(message, "from"),
        recipients=_header(message, "to"),
        copies=_header(message, "cc"),
        sent=_sent(message),
        plain="\n\n".join(_text(part, "plain") for part in (message, *spoken)),
        page="".join(_text(part, "html") for part in (message, *spoken)),
        attachments=tuple(_name(part) for part in parts if part not in letters + spoken),
    )
    yield from read_letter(letter, outer)
    for part in letters:
        inner = cast("EmailMessage", part.get_content())
        yield from _read(inner, (*outer, letter.subject))


def _parts(message: EmailMessage) -> list[EmailMessage]:
    """What the message holds besides its body."""
    if message.get_content_type() == _MESSAGE:
        return [message]
    return list(message.iter_attachments()) if message.is_multipart() else []


def _is_spoken(part: EmailMessage) -> bool:
    """Whether it is more of the message's own words, behind a picture for example."""
    is_named = part.is_attachment() or part.get_filename() is not None
    return part.get_content_maintype() == "text" and not is_named


def _header(message: EmailMessage, name: str) -> str:
    """All headers of this name, decoded; bytes that no encoding is stated for are guessed."""
    raw = (str(value) for key, value in message.raw_items() if key.lower() == name)
    whole = ", ".join(" ".join(value.split()) for value in raw)
    text = decode_text(whole.encode("utf-8", "surrogateescape"))
    return str(_header_registry(name, text)) if text else ""


def _sent(message: EmailMessage) -> str:
    text = _header(message, "date")
    try:
        return shown_time(parsedate_to_datetime(text)) if text else ""
    except ValueError:
        return text


def _text(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    if part is None:
        return ""
    content = cast("bytes", part.get_payload(decode=True))
    charset = part.get_content_charset()
    return decode_text(content) if charset is None else decode_stated(content, charset)


def _name(part: EmailMessage) -> str:
    return part.get_filename() or part.get_content_type()
