"""The parts of an e-mail: what it says, the messages in it, and the files that hang on it."""

import base64
import binascii
import quopri
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.errors import MessageError
from email.headerregistry import BaseHeader, HeaderRegistry, ParameterizedMIMEHeader
from email.message import EmailMessage
from typing import cast

from ingest.parsers.encodings import decode_text
from ingest.parsers.letters import LAYOUT, Words, is_layout, name_of
from ingest.parsers.unpacking import HeldFile, Unpacking

SIGNATURE = "It is a signature, which holds no text."
ENCRYPTED = "It is encrypted. Save it from the mail program that can open it."
_MESSAGE = "message/rfc822"
_SIGNATURES = frozenset(
    ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
)
_ENVELOPES = frozenset(
    ("application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
)
_PGP_START = b"-----BEGIN PGP MESSAGE-----"
_CALENDAR_NAME = "invitation.ics"
_header_registry = HeaderRegistry()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A piece of what the message says, in one form or two."""

    plain: EmailMessage | None = None
    page: EmailMessage | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """What an e-mail consists of, each in its order."""

    spoken: list[Spoken] = field(default_factory=list)
    messages: list[EmailMessage] = field(default_factory=list)
    files: list[EmailMessage] = field(default_factory=list)


def parts_of(message: EmailMessage) -> Parts:
    """The message's own parts; those of the messages in it are theirs."""
    parts = Parts()
    _sort(message, parts)
    return parts


def shown_header(message: EmailMessage, name: str) -> str:
    """All headers of this name, decoded; one that the standard cannot be applied to, as it is."""
    text = header_of(message, name)
    parsed = _parsed(name, text)
    return text if parsed is None else str(parsed)


def header_of(message: EmailMessage, name: str) -> str:
    """All headers of this name as they were sent; bytes of no stated encoding are guessed."""
    raw = (str(value) for key, value in message.raw_items() if key.lower() == name)
    whole = ", ".join(" ".join(value.split()) for value in raw)
    return decode_text(whole.encode("utf-8", "surrogateescape"))


def name_of_part(part: EmailMessage) -> str:
    """What a file that hangs on a message is called."""
    stated = _stated_name(part)
    is_calendar = part.get_content_type() == "text/calendar"
    return _CALENDAR_NAME if is_calendar and not stated else name_of(stated, _mime(part))


def attached(
    part: EmailMessage, words: tuple[Words, ...], unpacking: Unpacking, *, below: Sequence[str]
) -> HeldFile:
    """The file, or why it is not given; `below` are the messages that it hangs on."""
    path = "/".join((*below, name_of_part(part)))
    content = _content(part)
    reason = _why_not(part, content, words)
    return HeldFile(path, "", reason) if reason else unpacking.give(path, [content])


def _sort(part: EmailMessage, parts: Parts) -> None:
    kind = part.get_content_type()
    if kind == _MESSAGE:
        # Some programs encode it as a file, which the standard forbids and the parser leaves.
        (parts.files if _is_encoded(part) else parts.messages).append(part)
    elif kind == "multipart/alternative" and part.is_multipart():
        _sort_alternatives(part, parts)
    elif part.get_content_maintype() == "multipart" and part.is_multipart():
        for each in part.iter_parts():
            _sort(cast("EmailMessage", each), parts)
    elif _is_spoken(part):
        is_page = kind == "text/html"
        parts.spoken.append(Spoken(page=part) if is_page else Spoken(plain=part))
    else:
        parts.files.append(part)


def _sort_alternatives(part: EmailMessage, parts: Parts) -> None:
    """Of the forms of one text, the first plain one and the first page are kept."""
    inner = Parts()
    for each in part.iter_parts():
        _sort(cast("EmailMessage", each), inner)
    plain = next((each.plain for each in inner.spoken if each.plain), None)
    page = next((each.page for each in inner.spoken if each.page), None)
    if plain or page:
        parts.spoken.append(Spoken(plain, page))
    parts.messages.extend(inner.messages)
    parts.files.extend(inner.files)


def _is_spoken(part: EmailMessage) -> bool:
    """Whether it is more of the message's own words, behind a picture for example."""
    if part.is_attachment() or _stated_name(part):
        return False
    kind = part.get_content_type()
    is_status = part.get_content_maintype() == "message"
    # A multipart without parts has lost its boundary; what it says is all there.
    is_whole = part.get_content_maintype() in {"text", "multipart"}
    return (is_whole or is_status) and kind != "text/calendar"


def _is_encoded(part: EmailMessage) -> bool:
    return header_of(part, "content-transfer-encoding").lower() in {"base64", "quoted-printable"}


def _stated_name(part: EmailMessage) -> str:
    for header, key in (("content-disposition", "filename"), ("content-type", "name")):
        text = header_of(part, header)
        parsed = cast("ParameterizedMIMEHeader | None", _parsed(header, text))
        if parsed and (name := parsed.params.get(key)):
            return str(name)
    return ""


def _parsed(name: str, text: str) -> BaseHeader | None:
    # The library meets what it did not foresee in a header in all these ways.
    try:
        return _header_registry(name, text) if text else None
    except (AttributeError, LookupError, TypeError, ValueError, MessageError):
        return None


def _mime(part: EmailMessage) -> str:
    return str(part.get_content_type())


def _why_not(part: EmailMessage, content: bytes, words: tuple[Words, ...]) -> str:
    kind = _mime(part)
    if kind in _SIGNATURES:
        return SIGNATURE
    if kind in _ENVELOPES or content.startswith(_PGP_START):
        return ENCRYPTED
    content_id = header_of(part, "content-id")
    return LAYOUT if is_layout(content_id, kind, len(content), words) else ""


def _content(part: EmailMessage) -> bytes:
    if part.get_content_type() == _MESSAGE:
        return _decoded_message(part)
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else part.as_bytes()


def _decoded_message(part: EmailMessage) -> bytes:
    inner = part.get_payload()
    parsed = inner[0] if isinstance(inner, list) else None
    written = parsed.as_bytes() if isinstance(parsed, EmailMessage) else str(inner).encode()
    if header_of(part, "content-transfer-encoding").lower() == "quoted-printable":
        return quopri.decodestring(written)
    try:
        return base64.b64decode(written)
    except binascii.Error:
        return written
