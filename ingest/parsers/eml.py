"""E-mail by the standard library: the head counts as well as the words."""

import email
from collections.abc import Iterator
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import cast

from ingest.parsers.contract import Found
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_stated, decode_text
from ingest.parsers.letters import Letter, Words, read_letter, shown_time
from ingest.parsers.mail_parts import Parts, attached, name_of_part, parts_of, shown_header
from ingest.parsers.unpacking import Unpacking
from memory.domain.errors import Permanent

_DEEPEST = 10


def parse_container(path: Path, unpacking: Unpacking, _password: str) -> Iterator[Found]:
    """The message, then the messages that hang on it, each with its attachments.

    Raises: Permanent if it cannot be read.
    """
    with path.open("rb") as file, told_as_damage(MessageError):
        message = email.message_from_binary_file(file, policy=default)
        yield from _read(message, unpacking, ())


def _read(message: EmailMessage, unpacking: Unpacking, outer: tuple[str, ...]) -> Iterator[Found]:
    if len(outer) > _DEEPEST:
        raise Permanent("The file is damaged: its messages are nested too deeply.")
    parts = parts_of(message)
    letter = _letter(message, parts)
    yield from read_letter(letter, outer)
    # By the subjects of the messages in it, their files are told apart from its own.
    below = (*outer[1:], letter.title) if outer else ()
    for part in parts.files:
        yield attached(part, letter.words, unpacking, below=below)
    for part in parts.messages:
        inner = cast("EmailMessage", part.get_content())
        yield from _read(inner, unpacking, (*outer, letter.title))


def _letter(message: EmailMessage, parts: Parts) -> Letter:
    return Letter(
        subject=shown_header(message, "subject"),
        sender=shown_header(message, "from"),
        recipients=shown_header(message, "to"),
        copies=shown_header(message, "cc"),
        sent=_sent(message),
        words=tuple(Words(_text(each.plain), _text(each.page)) for each in parts.spoken),
        attachments=tuple(name_of_part(part) for part in parts.files),
    )


def _sent(message: EmailMessage) -> str:
    text = shown_header(message, "date")
    try:
        return shown_time(parsedate_to_datetime(text)) if text else ""
    except ValueError:
        return text


def _text(part: EmailMessage | None) -> str:
    if part is None:
        return ""
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        content = part.as_bytes()
    charset = part.get_content_charset()
    return decode_text(content) if charset is None else decode_stated(content, charset)
