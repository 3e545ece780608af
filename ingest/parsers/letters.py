"""A message as elements: who wrote it when to whom, once; its words, once; what hangs on it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.plain import paragraphs_of

_UNTITLED = "No subject"


@dataclass(frozen=True, slots=True)
class Letter:
    """What a message of any format holds; "" stands for what it lacks."""

    subject: str
    sender: str
    recipients: str
    copies: str
    sent: str
    plain: str
    page: str
    attachments: tuple[str, ...] = ()


def read_letter(letter: Letter, outer: tuple[str, ...] = ()) -> Iterator[Element]:
    """The message under its subject; the plain words where there are any, else the page.

    Shape: `outer` are the subjects of the messages that this one hangs on.
    """
    path = (*outer, " ".join(letter.subject.split()) or _UNTITLED)
    yield Element(ElementKind.TITLE, path[-1], None, path)
    lines = (
        ("From", letter.sender),
        ("To", letter.recipients),
        ("Cc", letter.copies),
        ("Date", letter.sent),
    )
    head = "\n".join(f"{name}: {' '.join(value.split())}" for name, value in lines if value)
    yield Element(ElementKind.NOTE, head, None, path)
    for element in _body(letter):
        yield replace(element, heading_path=(*path, *element.heading_path))
    if letter.attachments:
        names = ", ".join(letter.attachments)
        yield Element(ElementKind.NOTE, f"Attached, not read: {names}", None, path)


def shown_time(time: datetime) -> str:
    """A time to the minute, with its distance from UTC if it knows one."""
    text = time.isoformat(" ", "minutes")
    return f"{text[:16]} {text[16:]}".strip()


def _body(letter: Letter) -> Iterator[Element]:
    plain = letter.plain.replace("\r\n", "\n").replace("\r", "\n")
    if plain.strip() or not letter.page.strip():
        yield from (
            Element(ElementKind.TEXT, paragraph, None, ()) for paragraph in paragraphs_of(plain)
        )
    else:
        # Imported late: most messages have plain words, and this takes longer than reading them.
        from ingest.parsers.html import read_page

        yield from read_page(letter.page)
