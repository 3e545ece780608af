"""A backup: the whole database and every stored file in one archive."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from posixpath import join

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from memory.db.dumps import address_of, dump
from memory.services.transfer.archives import Sink, new_zip

FORM, VERSION = "longhand-backup", 1
DATABASE = "database.dump"
FILES, KEYS = "files", "keys"
SECRET_KEY = f"{KEYS}/secret_key"
PIECE_BYTES = 1 << 20
# A younger file may still be growing; whoever writes it has no row yet.
SETTLED_AFTER = timedelta(minutes=1)
# Pages that were drawn from stored files; they are drawn again when somebody looks at them.
DRAWN = "pages/"


def make_backup(path: Path, *, with_keys: bool) -> dict[str, int]:
    """Write a backup to `path`, while Longhand may be running; how many of what it holds.

    Raises: InvalidInput when `path` is taken; DatabaseFailed; OSError.
    """
    connection.ensure_connection()
    # Stored as it is: the dump is packed already, and restoring checks the size beforehand.
    with new_zip(path, compressed=False) as sink:
        # Before the tables and after them: a document that is deleted or added meanwhile has
        # its file in the archive all the same.
        _copy_files(sink, only_settled=True)
        with sink.member(DATABASE) as target:
            dump(address_of(connection.get_connection_params()), target)
        _copy_files(sink, only_settled=False)
        if with_keys:
            _copy_key(sink)
        sink.finish(_about())
    sizes = [member.size_bytes for member in sink.members.values()]
    files = sum(name.startswith(f"{FILES}/") for name in sink.members)
    return {"files": files, "bytes": sum(sizes)}


def stored_files(folder: str = "") -> Iterator[str]:
    """The names of all stored files."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in sorted(files):
        yield join(folder, name)
    for name in sorted(folders):
        yield from stored_files(join(folder, name))


def _copy_files(sink: Sink, *, only_settled: bool) -> None:
    for name in stored_files():
        if name.startswith(DRAWN):
            continue
        if f"{FILES}/{name}" not in sink.members and (not only_settled or _is_settled(name)):
            _copy_file(sink, name)


def _is_settled(name: str) -> bool:
    try:
        return default_storage.get_modified_time(name) < timezone.now() - SETTLED_AFTER
    except FileNotFoundError:
        return False


def _copy_file(sink: Sink, name: str) -> None:
    try:
        opened = default_storage.open(name)
    except FileNotFoundError:
        return  # deleted meanwhile
    with opened, sink.member(f"{FILES}/{name}") as target:
        while piece := opened.read(PIECE_BYTES):
            target.write(piece)


def _copy_key(sink: Sink) -> None:
    file = settings.LONGHAND_HOME / "secret_key"
    if file.is_file():
        with sink.member(SECRET_KEY) as target:
            target.write(file.read_bytes())


def _about() -> dict[str, object]:
    applied = MigrationRecorder(connection).applied_migrations()
    return {
        "format": FORM,
        "version": VERSION,
        "made_at": timezone.now().isoformat(),
        "postgresql": connection.cursor().connection.info.server_version,
        "migrations": sorted(f"{app}.{name}" for app, name in applied),
    }
