"""Messages that Outlook saved, by python-oxmsg: the head counts as well as the words."""

from collections.abc import Iterator
from pathlib import Path

import oxmsg
from oxmsg.attachment import Attachment
from oxmsg.domain.constants import (
    PID_ATTACH_CONTENT_ID,
    PID_ATTACH_FILENAME,
    PID_DISPLAY_NAME,
    PID_HTML,
)

from ingest.parsers.contract import Found
from ingest.parsers.damage import told_as_damage
from ingest.parsers.letters import (
    LAYOUT,
    Letter,
    Words,
    is_layout,
    name_of,
    read_letter,
    shown_time,
)
from ingest.parsers.unpacking import HeldFile, Unpacking

NOT_INSIDE = (
    "It is a message, or kept elsewhere, and not given with this one. Open it in Outlook, save it "
    "and upload that."
)


def parse_container(path: Path, unpacking: Unpacking, _password: str) -> Iterator[Found]:
    """The message with its attachments.

    Raises: Permanent if it cannot be read.
    """
    with told_as_damage():
        message = oxmsg.Message.load(str(path))
        letter, attachments = _letter(message), message.attachments
    yield from read_letter(letter)
    for attachment in attachments:
        with told_as_damage():
            held = _attached(attachment, letter, unpacking)
        yield held


def _letter(message: oxmsg.Message) -> Letter:
    headers = {name.lower(): value for name, value in message.message_headers.items()}
    people = ((each.name, each.email_address) for each in message.recipients)
    recipients = (f"{name} <{address}>" if name else address for name, address in people)
    sent = message.sent_date
    return Letter(
        subject=message.subject,
        sender=message.sender or "",
        recipients=headers.get("to") or ", ".join(recipients),
        copies=headers.get("cc", ""),
        sent="" if sent is None else shown_time(sent),
        words=(Words(message.body or "", _page(message)),),
        attachments=tuple(_name(each) for each in message.attachments),
    )


def _page(message: oxmsg.Message) -> str:
    content = message.properties.binary_prop_value(PID_HTML)
    if content is None:
        return message.html_body or ""
    # Imported late, as in the letters: most messages have plain words.
    from ingest.parsers.html import decode_html

    # A page knows its encoding better than the message, which often states none.
    return decode_html(content)


def _attached(attachment: Attachment, letter: Letter, unpacking: Unpacking) -> HeldFile:
    name, content = _name(attachment), attachment.file_bytes
    if content is None:
        return HeldFile(name, "", NOT_INSIDE)
    content_id = attachment.properties.str_prop_value(PID_ATTACH_CONTENT_ID) or ""
    if is_layout(content_id, _mime(attachment, name), len(content), letter.words):
        return HeldFile(name, "", LAYOUT)
    return unpacking.give(name, [content])


def _name(attachment: Attachment) -> str:
    texts = attachment.properties.str_prop_value
    stated = attachment.file_name or texts(PID_ATTACH_FILENAME) or texts(PID_DISPLAY_NAME)
    return name_of(stated or "", attachment.mime_type or "")


def _mime(attachment: Attachment, name: str) -> str:
    """What it says to be, or what its name does: Outlook often leaves it out."""
    from mimetypes import guess_type

    stated = attachment.mime_type or ""
    return stated if stated.startswith("image/") else guess_type(name)[0] or stated
