"""Stored files that no document points to: a process was killed between the file and its row."""

from datetime import timedelta

from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.models import Document
from ingest.services.page_files import is_older, sweep_page_files
from memory.models import across_owners

FOLDER = "documents"
SWEEP = "sweep-orphan-files"
OLD_ENOUGH = timedelta(hours=1)
# A page that is looked at again is drawn again.
PAGES_KEPT = timedelta(days=30)


def sweep_orphan_files() -> dict[str, int]:
    """Delete files of an hour ago or older that no row names, and pages drawn long ago."""
    if not default_storage.exists(FOLDER):
        return {"files": 0}
    stored = {f"{FOLDER}/{name}" for name in default_storage.listdir(FOLDER)[1]}
    with across_owners():
        files = dict(Document.objects.values_list("pk", "file"))
    orphans = stored - set(files.values())
    oldest = timezone.now() - OLD_ENOUGH
    old = [file for file in orphans if is_older(file, oldest)]
    for file in old:
        default_storage.delete(file)
    pages = sweep_page_files(files, timezone.now() - PAGES_KEPT)
    return {"files": len(old), "pages": pages}
