"""Looking into watched folders: what is new or changed there becomes a document or its version."""

import os
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.core.files.base import File
from django.utils import timezone

from ingest.domain.origins import file_origin
from ingest.models import Document, WatchedFile, WatchedFolder
from ingest.services.documents import Stored, require_size_within_limit, store_document
from ingest.services.safe_files import FileState, Listing, as_text, list_files, opened_inside
from ingest.services.versions import follow_rename, hand_over
from ingest.services.watching import allowed_folder
from memory.domain.errors import InvalidInput
from memory.models import Principal, across_owners, acting_as
from memory.models.scopes import GLOBAL
from memory.services.hosts import host_name
from memory.services.jobs import run_job

SCAN = "scan-watched-folders"
TAKEN_AT_ONCE = 500
LONGEST_SECONDS = 20.0
# A file that was changed a moment ago may be written still.
STABLE_NS = 5 * 10**9
KEPT_IN_MEMORY_BYTES = 2_500_000
PIECE_BYTES = 1 << 20
NAMED_AT_MOST = 3
GONE = "The file is gone; its document stays."
UNREADABLE = "It cannot be read: {}. Check its rights."


class StillWritten(Exception):  # noqa: N818 - named for what happened
    """The file changed while it was copied; it is taken once it rests."""


@dataclass(slots=True)
class Scan:
    """One look into one folder: what is there, what was there, and what is to be taken."""

    folder: WatchedFolder
    principal: Principal
    deadline: float
    listing: Listing
    known: dict[str, WatchedFile]
    news: list[str] = field(default_factory=list)

    @property
    def root(self) -> Path:
        """The folder's path."""
        return Path(self.folder.path)

    def is_unchanged(self, path: str) -> bool:
        """Whether a file is as it was when it was taken."""
        row, state = self.known.get(path), self.listing.files.get(path)
        return bool(row and state and row.reason != GONE and _state_of(row) == state)

    def origin_of(self, path: str) -> str:
        """What makes this file the same thing over time."""
        return file_origin(f"{self.folder.path}/{path}")


def scan_watched_folders() -> dict[str, int]:
    """Look into every watched folder, and take what is new or changed there; how many files.

    Side effects: one job run for each folder that has something to take, for its person.
    """
    deadline = time.monotonic() + LONGEST_SECONDS
    with across_owners():
        folders = list(WatchedFolder.objects.enabled().with_owner())
    counts: Counter[str] = Counter()
    for folder in folders:
        principal = Principal(folder.user, may_write_global=folder.user.is_staff)
        with acting_as(principal):
            counts.update(_scan(folder, principal, deadline))
    return dict(counts)


def _scan(folder: WatchedFolder, principal: Principal, deadline: float) -> Mapping[str, int]:
    if obstacle := _obstacle(folder, principal):
        _note(folder, obstacle)
        return {}
    try:
        scan = look(folder, principal, deadline)
    except OSError as error:
        why = "no such folder" if isinstance(error, FileNotFoundError) else _words(error)
        _note(folder, f"On {host_name()}: {why}.")
        return {}
    if scan.news:
        run = run_job(
            SCAN,
            lambda: take_all(scan),
            owner=folder.user,
            subject=folder.pk,
            worked_in=folder.scope_id,
        )
        _note(folder, run.error or _closed(scan.listing))
        return {name: int(count) for name, count in run.counts.items()}
    _note(folder, _closed(scan.listing))
    return {}


def _obstacle(folder: WatchedFolder, principal: Principal) -> str:
    if not folder.user.is_active:
        return f"{folder.user.email} has no open account any more."
    if folder.scope_id not in principal.scopes():
        return f"{folder.user.email} may not write there any more."
    if folder.scope.kind == GLOBAL and not principal.may_write_global:
        return f"{folder.user.email} may not write for everyone any more."
    try:
        is_where_it_was = str(allowed_folder(folder.path)) == folder.path
    except InvalidInput as error:
        return str(error)
    return "" if is_where_it_was else "A link stands in its place now, and none is followed."


def look(folder: WatchedFolder, principal: Principal, deadline: float) -> Scan:
    """See what is in the folder, and what of it is new or changed and at rest.

    Raises: OSError when the folder cannot be read.
    """
    listing = list_files(Path(folder.path), folder.pattern)
    known = {row.path: row for row in WatchedFile.objects.filter(folder=folder)}
    scan = Scan(folder, principal, deadline, listing, known)
    now = time.time_ns()
    scan.news = [
        path
        for path, state in listing.files.items()
        if not scan.is_unchanged(path) and abs(now - state.changed_ns) >= STABLE_NS
    ]
    if not listing.closed:
        gone = [row.pk for path, row in known.items() if path not in listing.files]
        WatchedFile.objects.filter(pk__in=gone).exclude(reason=GONE).update(reason=GONE)
    return scan


def take_all(scan: Scan) -> dict[str, int]:
    """Keep what is to be taken, as much as one look may; how many files had which outcome."""
    counts: Counter[str] = Counter()
    # A copy comes first: its bytes may be those that a changed file no longer has.
    for path in sorted(scan.news, key=scan.known.__contains__):
        if counts["taken"] >= TAKEN_AT_ONCE or time.monotonic() > scan.deadline:
            break
        counts[_take(scan, path)] += 1
    return dict(counts)


def _take(scan: Scan, path: str) -> str:
    """Keep one file and note how it was then; what became of it, in a word."""
    state = scan.listing.files[path]
    try:
        stored = _store(scan, path)
    except StillWritten:
        return "waiting"
    except InvalidInput as error:
        _remember(scan, path, state, reason=str(error))
        return "refused"
    except PermissionError as error:
        # Rights that are given later change the file's state, and it is tried again.
        _remember(scan, path, state, reason=UNREADABLE.format(_words(error)))
        return "refused"
    except OSError as error:
        _remember(scan, path, FileState(state.size_bytes, 0), reason=_words(error))
        return "refused"
    is_twin = stored.document.origin != scan.origin_of(path)
    _remember(scan, path, state, document=stored.document, reason=stored.told if is_twin else "")
    return "taken"


def _store(scan: Scan, path: str) -> Stored:
    state, folder = scan.listing.files[path], scan.folder
    require_size_within_limit(state.size_bytes)
    with SpooledTemporaryFile(KEPT_IN_MEMORY_BYTES, dir=settings.FILE_UPLOAD_TEMP_DIR) as copy:
        with opened_inside(scan.root, scan.listing.paths.get(path, path)) as source:
            _copy(source, copy, state)
        upload = File(copy, name=PurePosixPath(path).name)
        upload.size = copy.tell()
        _leave_to_twins(scan, path)
        stored = store_document(
            principal=scan.principal,
            scope=folder.scope,
            upload=upload,
            tags=tuple(folder.tags),
            origin=scan.origin_of(path),
        )
    if stored.is_duplicate and _was_renamed(scan, stored.document):
        follow_rename(stored.document, scan.origin_of(path))
    return stored


def _copy(source: int, copy: "SpooledTemporaryFile[bytes]", state: FileState) -> None:
    """Copy the file as it is now.

    Raises: StillWritten if it is another than was seen, or changes meanwhile.
    """
    while piece := os.read(source, PIECE_BYTES):
        copy.write(piece)
        require_size_within_limit(copy.tell())
    if FileState.of(os.fstat(source)) != state or copy.tell() != state.size_bytes:
        raise StillWritten


def _leave_to_twins(scan: Scan, path: str) -> None:
    """Let another file that still has the bytes, which this one had, keep their document."""
    row = scan.known.get(path)
    document = row.document if row else None
    if document is None or document.origin != scan.origin_of(path):
        return
    twins = [row.path for row in scan.known.values() if row.document_id == document.pk]
    if twin := next((each for each in twins if each != path and scan.is_unchanged(each)), None):
        hand_over(document, scan.origin_of(twin))


def _was_renamed(scan: Scan, document: Document) -> bool:
    """Whether the file that the document came from is gone from this folder."""
    before = document.origin.removeprefix(scan.origin_of(""))
    is_of_folder = before != document.origin
    return is_of_folder and before not in scan.listing.files and not scan.listing.closed


def _remember(
    scan: Scan,
    path: str,
    state: FileState,
    *,
    reason: str,
    document: Document | None = None,
) -> None:
    row, _ = WatchedFile.objects.update_or_create(
        folder=scan.folder,
        path=path,
        defaults={
            "scope_id": scan.folder.scope_id,
            "size_bytes": state.size_bytes,
            "changed_ns": state.changed_ns,
            "reason": reason,
            "document": document,
        },
    )
    scan.known[row.path] = row


def _note(folder: WatchedFolder, error: str) -> None:
    with across_owners():
        WatchedFolder.objects.filter(pk=folder.pk).update(
            scanned_at=timezone.now(), last_error=error
        )


def _closed(listing: Listing) -> str:
    if not listing.closed:
        return ""
    named = "; ".join(as_text(each) for each in listing.closed[:NAMED_AT_MOST])
    more = len(listing.closed) - NAMED_AT_MOST
    return f"Not looked into: {named}{f', and {more:,} more' if more > 0 else ''}."


def _state_of(row: WatchedFile) -> FileState:
    return FileState(row.size_bytes, row.changed_ns)


def _words(error: OSError) -> str:
    return as_text(error.strerror or str(error)).lower()
