"""Putting a backup back: checked as a whole first, then stored in one transaction."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.loader import MigrationLoader

from memory.db.dumps import address_of, load
from memory.db.errors import DatabaseFailed
from memory.db.statistics import refresh_statistics
from memory.db.vector import require_vector
from memory.domain.errors import InvalidInput
from memory.models import User, WorkerBeat
from memory.services.transfer.backup import DATABASE, FILES, FORM, SECRET_KEY, VERSION, stored_files
from memory.services.transfer.opening import Archive, open_archive, spooled

HOLD_MEMORIES = {"memory_fact", "memory_turn", "ingest_document"}


def restore_backup(path: Path, *, replace: bool) -> dict[str, int]:
    """Put the database and the files of a backup in the place of what is there.

    Raises: InvalidInput when the archive is damaged or from a later version, when something is
        there and `replace` is not said, or when somebody works on the database; DatabaseFailed,
        and then the database is as it was; OSError.
    """
    connection.ensure_connection()
    with open_archive(path, form=FORM, version=VERSION) as archive:
        _require_whole(archive)
        require_vector(connection)
        require_no_other_work()
        if not replace and not is_empty():
            raise InvalidInput("This installation holds memories. Say --replace to give them up.")
        _store(archive, replace=replace)
        files = [name for name in archive.members if name.startswith(f"{FILES}/")]
    _bring_up_to_date()
    # Nobody works on this database now, so these are workers of where the backup was made.
    WorkerBeat.objects.all().delete()
    refresh_statistics()
    return {"files": len(files)}


def is_empty() -> bool:
    """Whether nothing was ever remembered here, and at most the first account was made."""
    tables = set(connection.introspection.table_names())
    if next(stored_files(), None) is not None:
        return False
    with connection.cursor() as cursor:
        for table in tables & HOLD_MEMORIES:
            cursor.execute(f"SELECT EXISTS (SELECT FROM {table})")  # noqa: S608 - a name of ours
            if (cursor.fetchone() or [False])[0]:
                return False
    return User._meta.db_table not in tables or User.objects.count() <= 1


def require_no_other_work() -> None:
    """Refuse while another program works on this database.

    Raises: InvalidInput.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND usename IS NOT NULL AND pid <> pg_backend_pid()"
        )
        row = cursor.fetchone()
    if row and row[0]:
        raise InvalidInput(
            f"{row[0]} other connections use this database. Stop Longhand on every host first."
        )


def _require_whole(archive: Archive) -> None:
    """Refuse an archive that is damaged or that a later Longhand made."""
    if DATABASE not in archive.members:
        raise InvalidInput(f"{archive.path} is damaged: {DATABASE} is missing.")
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known = {f"{app}.{name}" for app, name in loader.disk_migrations or {}}
    apps = {app for app, _ in loader.disk_migrations or {}}
    made = archive.about.get("migrations")
    told = [str(each) for each in made] if isinstance(made, list) else []
    later = [each for each in told if each.partition(".")[0] in apps and each not in known]
    if later:
        raise InvalidInput(
            f"{archive.path} comes from a later Longhand, which has {later[0]}. Upgrade first."
        )
    archive.verify()


def _bring_up_to_date() -> None:
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except (DatabaseError, InconsistentMigrationHistory) as error:
        raise DatabaseFailed(
            f"The backup is in place, but the step to this version failed: {error}. "
            "Once that is mended, manage.py up takes the step again."
        ) from error


def _store(archive: Archive, *, replace: bool) -> None:
    with _files_of(archive) as names, tempfile.TemporaryDirectory(prefix="longhand-") as folder:
        dumped = spooled(archive, DATABASE, Path(folder))
        address = address_of(connection.get_connection_params())
        connection.close()
        load(address, dumped)
    if replace:
        for extra in set(stored_files()) - names:
            default_storage.delete(extra)
    _put_key(archive, replace=replace)


@contextmanager
def _files_of(archive: Archive) -> Iterator[set[str]]:
    """The archive's files in the storage; taken away again when what follows fails."""
    prefix = f"{FILES}/"
    names = {name.removeprefix(prefix) for name in archive.members if name.startswith(prefix)}
    with ExitStack() as unless_stored:
        for name in sorted(names):
            if not default_storage.exists(name):
                unless_stored.callback(default_storage.delete, name)
                _put_file(archive, name)
            elif _digest(name) != archive.members[prefix + name].sha256:
                default_storage.delete(name)
                _put_file(archive, name)
        yield names
        unless_stored.pop_all()


def _put_file(archive: Archive, name: str) -> None:
    with archive.open(f"{FILES}/{name}") as source:
        kept = default_storage.save(name, File(source, name=name))
    if kept != name:
        default_storage.delete(kept)
        raise InvalidInput(f"The file {name} of the archive could not be stored under its name.")


def _digest(name: str) -> str:
    with default_storage.open(name) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _put_key(archive: Archive, *, replace: bool) -> None:
    file = settings.LONGHAND_HOME / "secret_key"
    if SECRET_KEY not in archive.members or (file.exists() and not replace):
        return
    making = file.with_name("secret_key.restored")
    descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as target:
        archive.copy(SECRET_KEY, target)
    making.rename(file)
