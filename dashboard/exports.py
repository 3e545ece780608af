"""What a person takes along: written to a file of its own first, then handed over."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from django.conf import settings
from django.utils import timezone

from dashboard.downloads import Download
from ingest.services.transfer.exporting import export_facts, export_people
from memory.models import AuditEntry, Principal
from memory.models.facts import FactQuerySet
from memory.services.audit import note_in_audit
from memory.services.transfer.archives import zip_in


def lines_download(principal: Principal, facts: FactQuerySet) -> Download:
    """These memories as lines of JSON, as they are in an archive.

    Side effects: notes in the audit that they were taken.
    """
    with _written(principal) as file:
        export_facts(principal, facts, file)
    return _download(file, "memories", "jsonl", "application/jsonl")


def archive_download(principal: Principal) -> Download:
    """All that the principal has here, as `manage.py export` writes it.

    Side effects: notes in the audit that it was taken.
    """
    with _written(principal) as file, zip_in(file, compressed=True) as sink:
        export_people([principal], sink, everyone=False)
    return _download(file, "longhand", "zip", "application/zip")


@contextmanager
def _written(principal: Principal) -> Iterator[IO[bytes]]:
    """A file without a name, which the disk forgets when it is closed.

    All of it is written before the first byte leaves: a failure is an error and no short file, and
    no transaction waits for a slow reader.
    """
    user = principal.user
    note_in_audit(actor=user, action=AuditEntry.Action.EXPORTED, noun="account", rows=[user.pk])
    with ExitStack() as unless_whole:
        file = unless_whole.enter_context(tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR))
        yield file
        file.seek(0)
        unless_whole.pop_all()


def _download(file: IO[bytes], name: str, ending: str, kind: str) -> Download:
    day = timezone.localdate().isoformat()
    response = Download(
        file, as_attachment=True, filename=f"{name}-{day}.{ending}", content_type=kind
    )
    response["Cache-Control"] = "private, no-store"
    return response
