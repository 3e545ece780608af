"""What a person takes along: written to a file of its own first, then handed over."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from django.conf import settings
from django.utils import timezone

from dashboard.downloads import Download
from ingest.services.transfer.exporting import export_facts, export_people
from memory.db.locks import advisory_lock
from memory.models import AuditEntry, Principal, User
from memory.models.facts import FactQuerySet
from memory.services.audit import note_in_audit
from memory.services.timetable import Busy
from memory.services.transfer.archives import zip_in

# Each holds a connection to the database while it is written, of which a web process has ten.
MOST_AT_ONCE = 3
YOURS = "An export of yours is being written already. When its download begins, try again."
OTHERS = "Others are taking theirs along right now. Try again in a minute."


def lines_download(principal: Principal, facts: FactQuerySet) -> Download:
    """These memories as lines of JSON, as they are in an archive.

    Raises: Busy.
    Side effects: notes in the audit that they were taken.
    """
    with _written(principal) as file:
        export_facts(principal, facts, file)
    return _download(file, "memories", "jsonl", "application/jsonl")


def archive_download(principal: Principal) -> Download:
    """All that the principal has here, as `manage.py export` writes it.

    Raises: Busy.
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
    with _turn_of(user), ExitStack() as unless_whole:
        note_in_audit(
            actor=user,
            action=AuditEntry.Action.EXPORTED,
            noun="account",
            rows=[user.pk],
            owner_id=user.pk,
        )
        file = unless_whole.enter_context(tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR))
        yield file
        file.seek(0)
        unless_whole.pop_all()


@contextmanager
def _turn_of(user: User) -> Iterator[None]:
    """Inside, this person writes no other export, and few others write theirs."""
    with ExitStack() as held:
        if not held.enter_context(advisory_lock(f"export of {user.pk}")):
            raise Busy(YOURS)
        places = (advisory_lock(f"export {number}") for number in range(MOST_AT_ONCE))
        if not any(held.enter_context(place) for place in places):
            raise Busy(OTHERS)
        yield


def _download(file: IO[bytes], name: str, ending: str, kind: str) -> Download:
    day = timezone.localdate().isoformat()
    response = Download(
        file, as_attachment=True, filename=f"{name}-{day}.{ending}", content_type=kind
    )
    response["Cache-Control"] = "private, no-store"
    return response
