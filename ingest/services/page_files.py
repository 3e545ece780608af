"""Where drawn pages are kept, and how they go: they can be drawn again at any time."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.core.files.storage import default_storage

FOLDER = "pages"


def page_file(document_id: UUID, number: int) -> str:
    """The name under which this page of the document is kept."""
    return f"{_folder(document_id)}/{number}.webp"


def drop_page_files(document_id: UUID) -> None:
    """Remove every drawn page of a document."""
    folder = _folder(document_id)
    for name in _listed(folder)[1]:
        default_storage.delete(f"{folder}/{name}")
    # One that is drawn in this moment stays, and goes with the next sweep.
    with suppress(OSError):
        default_storage.delete(folder)


def sweep_page_files(documents: Collection[UUID], oldest: datetime) -> int:
    """Remove drawn pages of documents that are none of these, or that are older; how many."""
    known = {str(each) for each in documents}
    stale = [
        f"{FOLDER}/{folder}/{name}"
        for folder in _listed(FOLDER)[0]
        for name in _listed(f"{FOLDER}/{folder}")[1]
        if folder not in known or is_older(f"{FOLDER}/{folder}/{name}", oldest)
    ]
    for file in stale:
        default_storage.delete(file)
    for folder in _listed(FOLDER)[0]:
        if folder not in known:
            with suppress(OSError):
                default_storage.delete(f"{FOLDER}/{folder}")
    return len(stale)


def is_older(file: str, moment: datetime) -> bool:
    """Whether a stored file was written before; one that has gone meanwhile was not."""
    try:
        return default_storage.get_modified_time(file) < moment
    except FileNotFoundError:
        return False


def _folder(document_id: UUID) -> str:
    return f"{FOLDER}/{document_id}"


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """Folders and files in it; none where there is no such folder."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return [], []
    return folders, files
