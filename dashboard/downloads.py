"""Handing a stored file back: always as a download, never as a page of ours."""

from django.core.files.storage import default_storage
from django.http import FileResponse

from ingest.models import Document
from memory.domain.errors import Permanent

SANDBOX = "default-src 'none'; sandbox"


def attachment(document: Document) -> FileResponse:
    """The stored bytes, which no browser may run or show.

    Raises: Permanent when the file is gone.
    """
    try:
        stored = default_storage.open(document.file)
    except FileNotFoundError:
        raise Permanent(
            "The stored file is gone. Delete the document and upload it again."
        ) from None
    response = FileResponse(
        stored,
        as_attachment=True,
        filename=document.name,
        content_type="application/octet-stream",
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = SANDBOX
    response["Cache-Control"] = "private, no-store"
    return response
