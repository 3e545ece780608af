"""What has to be true before the web process starts."""

import hashlib
import time
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection

from dashboard.supervision.failures import StartFailed
from memory.db.place import Place, place_of
from memory.db.server import Server, start
from memory.db.vector import require_vector
from memory.domain.errors import Retryable
from memory.services.health import check_migrations
from memory.services.queue import broker_bells
from memory.services.second_steps import seal_second_steps

OTHER_COMMAND_SECONDS = 20.0
POLL_SECONDS = 0.1


def start_database(home: Path) -> Server:
    """The home's own server, which nobody else may be running.

    Raises: StartFailed, DatabaseFailed, OSError.
    """
    place = place_of(home)
    deadline = time.monotonic() + OTHER_COMMAND_SECONDS
    while True:
        # After a hard kill the previous server may still be on its way out.
        server = start(place)
        if server is not None:
            return server
        if time.monotonic() > deadline:
            raise StartFailed(f"Another command uses the database in {place.base}. Wait for it.")
        time.sleep(POLL_SECONDS)


def require_surroundings() -> None:
    """Make sure that a part which is started alone finds what `up` would have prepared.

    Raises: StartFailed naming the setting and the remedy; DatabaseFailed; django.db.Error.
    """
    if not settings.LONGHAND_HAS_LASTING_KEY:
        raise StartFailed(
            f"LONGHAND_SECRET_KEY is not set and {settings.LONGHAND_HOME} has no secret_key. "
            "Set it to the key of the other hosts."
        )
    require_broker()
    require_vector(connection)
    migrations = check_migrations()
    connection.close()
    if migrations.state != "ok":
        raise StartFailed(f"Migrations of the database: {migrations.detail} {migrations.remedy}")
    seal_second_steps()
    connection.close()


def require_broker() -> None:
    """Make sure that the queues can be told.

    Raises: StartFailed naming the setting and the remedy.
    """
    try:
        broker_bells().check()
    except Retryable as error:
        raise StartFailed(str(error)) from error


def migrate() -> None:
    """Bring the schema up to this version, and what earlier ones stored unsealed with it.

    Raises: DatabaseFailed when the server has no usable pgvector; django.db.Error.
    """
    require_vector(connection)
    call_command("migrate", interactive=False, verbosity=0)
    seal_second_steps()
    connection.close()


def collect_static() -> None:
    """Gather the files that pages link to, when any of them has changed."""
    digest = _static_digest()
    mark = settings.LONGHAND_HOME / "static.digest"
    if mark.is_file() and mark.read_text() == digest and Path(settings.STATIC_ROOT).is_dir():
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(digest)


def _static_digest() -> str:
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def data_folders(place: Place | None, home: Path) -> str:
    """Where this installation keeps its data, in words."""
    if place is None:
        return f"Files are in {home}, the database is where DATABASE_URL says."
    return f"Files are in {home}, the database is in {place.data}."
