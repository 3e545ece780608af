"""Messages that Outlook saved, by python-oxmsg: the head counts as well as the words."""

from collections.abc import Iterator
from pathlib import Path

import oxmsg
from oxmsg.domain.constants import PID_HTML

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.letters import Letter, read_letter, shown_time


def parse(path: Path) -> Iterator[Element | Pages]:
    """The message.

    Raises: Permanent if it cannot be read.
    """
    with told_as_damage():
        letter = _letter(oxmsg.Message.load(str(path)))
    yield from read_letter(letter)


def _letter(message: oxmsg.Message) -> Letter:
    headers = {name.lower(): value for name, value in message.message_headers.items()}
    people = ((each.name, each.email_address) for each in message.recipients)
    recipients = (f"{name} <{address}>" if name else address for name, address in people)
    sent = message.sent_date
    plain = message.body or ""
    return Letter(
        subject=message.subject,
        sender=message.sender or "",
        recipients=headers.get("to") or ", ".join(recipients),
        copies=headers.get("cc", ""),
        sent="" if sent is None else shown_time(sent),
        plain=plain,
        page="" if plain.strip() else _page(message),
        attachments=tuple(each.file_name or "without a name" for each in message.attachments),
    )


def _page(message: oxmsg.Message) -> str:
    content = message.properties.binary_prop_value(PID_HTML)
    if content is None:
        return message.html_body or ""
    # Imported late, as in the letters: most messages have plain words.
    from ingest.parsers.html import decode_html

    # A page knows its encoding better than the message, which often states none.
    return decode_html(content)
