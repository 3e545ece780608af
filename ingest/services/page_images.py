"""Pages as pictures: drawn when somebody first looks at them, by a child program, and then kept."""

import base64
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

import structlog
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import close_old_connections, connection

from ingest.domain.elements import Element
from ingest.domain.limits import MB
from ingest.domain.refusals import NeedsPassword
from ingest.models import Document
from ingest.parsers.process import child_folder
from ingest.parsers.sandbox import ParserDied, run_parser
from ingest.services.page_files import page_file
from ingest.services.reading import limits, temporary_folder
from memory.db.rows import update_rows
from memory.domain.errors import Permanent, Retryable

if TYPE_CHECKING:
    from django.core.files.base import File

    from ingest.parsers.page_image import Order

log = structlog.get_logger(__name__)

# Each may use a core and hundreds of megabytes beside the web process.
AT_ONCE = 2
WAIT_SECONDS = 15.0
WALL_SECONDS = 20.0
CPU_SECONDS = 20
MOST_BYTES = 20 * MB
# Drawing what cannot be drawn costs as much each time, so it is not tried at each look.
TROUBLE_SECONDS = 600

_DRAWER = "ingest.parsers.page_image"
_PDF = "application/pdf"
_drawing = BoundedSemaphore(AT_ONCE)

NOT_SHOWN = "This page cannot be shown. Save the file to look at it."
LOCKED = "Pages of a file with a password are not shown. Save the file to look at it."
BUSY = "Other pages are being drawn. Try again in a moment."


class PageNotShown(Permanent):
    """The page cannot be drawn, and what a person can do instead."""


class PagesBusy(Retryable):
    """No page can be drawn at this moment; a later try may find room."""


def is_drawable(document: Document) -> bool:
    """Whether the pages of a document can be shown as pictures; of all others, the text is."""
    return document.media_type == _PDF or document.media_type.startswith("image/")


def page_total(document: Document) -> int:
    """How many pages a drawable document has, as far as it is known; at least one."""
    return max(document.pages_total or 1, 1)


def known_trouble(document: Document, number: int) -> str:
    """Why this page cannot be shown, as far as that is known without drawing it; empty if not."""
    if document.has_password:
        return LOCKED
    if document.media_type == _PDF and _is_unread(document):
        return NOT_SHOWN
    return str(cache.get(page_file(document.pk, number), ""))


def _is_unread(document: Document) -> bool:
    """Whether it failed before its pages were so much as counted."""
    return document.status == Document.Status.FAILED and document.pages_total is None


def open_page_image(document: Document, number: int) -> "File[bytes]":
    """One page as WebP, drawn now if nobody has looked at it before.

    Raises: PageNotShown; PagesBusy; ParserNotStarted.
    Side effects: may keep the picture in the storage, or that the file has a password.
    """
    name = page_file(document.pk, number)
    if not default_storage.exists(name):
        if trouble := known_trouble(document, number):
            raise PageNotShown(trouble)
        _keep(name, _drawn_alone(document, number, name))
    try:
        return default_storage.open(name)
    except FileNotFoundError:
        # The document was deleted in this moment.
        raise PageNotShown(NOT_SHOWN) from None


def _drawn_alone(document: Document, number: int, name: str) -> bytes:
    """The picture, once there is room for one more child."""
    # Whoever waits here must not hold a connection that others need.
    if not connection.in_atomic_block:
        close_old_connections()
    if not _drawing.acquire(timeout=WAIT_SECONDS):
        raise PagesBusy(BUSY)
    try:
        return _drawn(document, number)
    except NeedsPassword:
        # By then it may be deleted, which is no fault of whoever looks.
        update_rows(Document, {"id": document.pk}, {"has_password": True})
        raise PageNotShown(LOCKED) from None
    except (Permanent, ParserDied) as error:
        log.warning("page.not_shown", document=str(document.pk), page=number, reason=str(error))
        raise _noted(name, NOT_SHOWN) from None
    finally:
        _drawing.release()


def _noted(name: str, sentence: str) -> PageNotShown:
    cache.set(name, sentence, TROUBLE_SECONDS)
    return PageNotShown(sentence)


def _drawn(document: Document, number: int) -> bytes:
    root = temporary_folder()
    bounds = replace(
        limits(), wall_seconds=WALL_SECONDS, cpu_seconds=CPU_SECONDS, output_bytes=MOST_BYTES
    )
    try:
        stored = default_storage.open(document.file)
    except OSError:
        raise Permanent("The stored file cannot be read on this host.") from None
    with stored, child_folder(root) as folder:
        source = Path(str(stored.name)).resolve()
        order: Order = {"path": str(source), "is_pdf": document.media_type == _PDF, "page": number}
        paper = folder / "order.json"
        paper.write_text(json.dumps(order), encoding="utf-8")
        events = run_parser(_DRAWER, paper, bounds, tmp_root=root, also_reads=(source,))
        with closing(events):
            sent = [event.text for event in events if isinstance(event, Element)]
    return _decoded(sent)


def _decoded(sent: list[str]) -> bytes:
    """The picture in what the child sent, which read a file that nobody vouches for."""
    try:
        picture = base64.b64decode("".join(sent), validate=True)
    except ValueError:
        picture = b""
    if not picture.startswith(b"RIFF") or picture[8:12] != b"WEBP":
        raise ParserDied("The page came as something else than a picture.")
    return picture


def _keep(name: str, picture: bytes) -> None:
    kept = default_storage.save(name, ContentFile(picture))
    if kept != name:
        # Somebody looked at the same page in the same moment.
        default_storage.delete(kept)
