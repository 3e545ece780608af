"""A message as elements: who wrote it when to whom, once; its words, once; what hangs on it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.plain import paragraphs_of

LAYOUT = "A small picture in the layout of the message, such as a logo."
_UNTITLED = "No subject"
_LARGEST_LAYOUT_BYTES = 30_000
_WITHOUT_NAME = "unnamed"


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of what a message says, plain and as a page; "" stands for the form it lacks."""

    plain: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """What a message of any format holds; "" stands for what it lacks."""

    subject: str
    sender: str
    recipients: str
    copies: str
    sent: str
    words: tuple[Words, ...]
    attachments: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the message is headed with."""
        return " ".join(self.subject.split()) or _UNTITLED


def read_letter(letter: Letter, outer: tuple[str, ...] = ()) -> Iterator[Element]:
    """The message under its subject; the plain words where there are any, else the page.

    Shape: `outer` are the subjects of the messages that this one hangs on.
    """
    path = (*outer, letter.title)
    yield Element(ElementKind.TITLE, path[-1], None, path)
    lines = (
        ("From", letter.sender),
        ("To", letter.recipients),
        ("Cc", letter.copies),
        ("Date", letter.sent),
    )
    head = "\n".join(f"{name}: {' '.join(value.split())}" for name, value in lines if value)
    yield Element(ElementKind.NOTE, head, None, path)
    for words in letter.words:
        for element in _body(words):
            yield replace(element, heading_path=(*path, *element.heading_path))
    if letter.attachments:
        yield Element(ElementKind.NOTE, f"Attached: {', '.join(letter.attachments)}", None, path)


def shown_time(time: datetime) -> str:
    """A time to the minute, with its distance from UTC if it knows one."""
    text = time.isoformat(" ", "minutes")
    return f"{text[:16]} {text[16:]}".strip()


def is_layout(content_id: str, mime: str, size_bytes: int, words: tuple[Words, ...]) -> bool:
    """Whether a picture only adorns the message, as the logo below a signature does."""
    name = content_id.strip().strip("<>")
    if not name or not mime.startswith("image/") or size_bytes > _LARGEST_LAYOUT_BYTES:
        return False
    return any(re.search(rf"cid:{re.escape(name)}\b", each.page) for each in words)


def name_of(name: str, mime: str) -> str:
    """What an attachment is called; one without a name by what it says to be."""
    shown = " ".join(name.split())
    if shown:
        return shown
    # Imported late: it reads tables of the system, and most attachments have a name.
    from mimetypes import guess_extension

    return _WITHOUT_NAME + (guess_extension(mime) or "")


def _body(words: Words) -> Iterator[Element]:
    plain = words.plain.replace("\r\n", "\n").replace("\r", "\n")
    if plain.strip() or not words.page.strip():
        yield from (
            Element(ElementKind.TEXT, paragraph, None, ()) for paragraph in paragraphs_of(plain)
        )
    else:
        # Imported late: most messages have plain words, and this takes longer than reading them.
        from ingest.parsers.html import read_page

        yield from read_page(words.page)
