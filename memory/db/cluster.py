"""The data folder of the embedded server: made once, configured at each start."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

from memory.db.errors import DatabaseFailed
from memory.db.place import DATABASE, Place
from memory.db.programs import Owner

MOST_SHARED_BYTES = 2 * 2**30
HALF_MADE = "pg.new"
COMPLAINTS = ("FATAL:", "PANIC:", "error:", "ERROR:")


def prepare(place: Place, programs: Path, owner: Owner | None) -> None:
    """Make whatever folder is missing, and write this start's configuration.

    Raises: DatabaseFailed, OSError. Units: no existing folder's mode is changed.
    """
    if place.shared is not None:
        place.shared.mkdir(parents=True, exist_ok=True, mode=0o755)
    private_folder(place.base, owner)
    private_folder(place.sockets, owner)
    if not place.data.is_dir():
        _make_data(place, programs, owner)
    _write(place.data / "longhand.conf", _lines(_configuration()), owner)


def private_folder(folder: Path, owner: Owner | None) -> None:
    """Make `folder` for the owner alone, or check that it already is.

    Raises: DatabaseFailed when it belongs to somebody else.
    """
    uid, gid = owner or (os.geteuid(), os.getegid())
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
        os.chown(folder, uid, gid)
    if folder.is_symlink() or folder.stat().st_uid != uid:
        raise DatabaseFailed(f"{folder} belongs to another user. Remove it or set LONGHAND_HOME.")


def _make_data(place: Place, programs: Path, owner: Owner | None) -> None:
    # A kill in the middle leaves only the half-made folder, which the next start removes.
    half_made = place.base / HALF_MADE
    shutil.rmtree(half_made, ignore_errors=True)
    private_folder(half_made, owner)
    uid, gid = owner or (None, None)
    result = subprocess.run(  # noqa: S603 - the package's own program
        [str(programs / "initdb"), *_initdb_options(half_made)],
        capture_output=True,
        text=True,
        check=False,
        cwd=place.base,
        user=uid,
        group=gid,
        extra_groups=None if owner is None else [],
    )
    if result.returncode:
        raise DatabaseFailed(f"The database could not be made: {last_complaint(result.stderr)}")
    with (half_made / "postgresql.conf").open("a") as file:
        file.write("include_if_exists 'longhand.conf'\n")
    half_made.rename(place.data)


def _initdb_options(data: Path) -> list[str]:
    # Both locales matter: the builtin one sorts and folds, and the text search parser asks the
    # C library what a letter is (with plain C it keeps curly quotes inside words).
    return [
        f"--pgdata={data}",
        f"--username={DATABASE}",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--auth=trust",
        "--no-instructions",
    ]


def _configuration() -> dict[str, str]:
    shared = min(psutil.virtual_memory().total // 8, MOST_SHARED_BYTES)
    return {
        "listen_addresses": "",
        "unix_socket_permissions": "0700",
        "shared_buffers": f"{shared // 2**20}MB",
        "maintenance_work_mem": "1GB",
        "jit": "off",
        "random_page_cost": "1.1",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "default_text_search_config": "pg_catalog.english",
        "log_checkpoints": "off",
        # A failing statement holds what people wrote; that must not stay in a log.
        "log_min_error_statement": "panic",
        "log_error_verbosity": "terse",
        "logging_collector": "on",
        "log_directory": "log",
        "log_filename": "postgresql-%a.log",
        "log_truncate_on_rotation": "on",
        "log_rotation_age": "1d",
        "log_rotation_size": "0",
    }


def _lines(settings: Mapping[str, str]) -> str:
    return "".join(f"{name} = '{value}'\n" for name, value in settings.items())


def _write(file: Path, text: str, owner: Owner | None) -> None:
    making = file.with_suffix(".new")
    making.write_text(text)
    if owner is not None:
        os.chown(making, *owner)
    making.rename(file)


def last_complaint(output: str) -> str:
    """The last reason that PostgreSQL's words give, without their prefix."""
    for line in reversed(output.splitlines()):
        for mark in COMPLAINTS:
            # Only the answer to a connection that came too early.
            if mark in line and "the database system is" not in line:
                return line.partition(mark)[2].strip()
    return "no reason was given"
