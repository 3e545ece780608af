"""Handing a file over: as a download or a picture that was drawn here, never as a page of ours."""

from typing import TYPE_CHECKING

from django.core.files.storage import default_storage
from django.http import FileResponse

from ingest.models import Document
from memory.domain.errors import Permanent
from memory.streaming import InPieces

if TYPE_CHECKING:
    from django.core.files.base import File
    from django.http.response import HttpResponseBase

SANDBOX = "default-src 'none'; sandbox"
GONE = "The stored file is gone. Delete the document and upload it again."
RIGHTS = "Check the rights of LONGHAND_FILES."


class Download(InPieces, FileResponse):
    """A file to save, a piece at a time in memory."""

    block_size = 1 << 18


def attachment(document: Document) -> Download:
    """The stored bytes, which no browser may run or show.

    Raises: Permanent when the file is gone or may not be read.
    """
    try:
        stored = default_storage.open(document.file)
    except FileNotFoundError:
        raise Permanent(GONE) from None
    except OSError as error:
        raise Permanent(f"The stored file cannot be read: {error.strerror}. {RIGHTS}") from error
    response = Download(
        stored,
        as_attachment=True,
        filename=document.name,
        content_type="application/octet-stream",
    )
    _shut_in(response)
    response["Cache-Control"] = "private, no-store"
    return response


def page_picture(stored: "File[bytes]", tag: str) -> Download:
    """A page that was drawn here; the browser may keep it, and asks each time whether it may."""
    response = Download(stored, content_type="image/webp")
    _shut_in(response)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response


def _shut_in(response: "HttpResponseBase") -> None:
    """Have no browser guess what the answer is, nor run anything of it."""
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = SANDBOX
