"""The folder that holds what one installation keeps, and its one owner."""

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path

from dashboard.supervision.failures import StartFailed


def prepare_home(home: Path) -> None:
    """Make the folder and its `tmp`, for their owner alone; the mode of one that exists stays.

    Raises: StartFailed when it cannot be made or used.
    """
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            home.mkdir(mode=0o700)
        with suppress(FileExistsError):
            (home / "tmp").mkdir(mode=0o700)
        is_usable = home.is_dir() and os.access(home, os.R_OK | os.W_OK | os.X_OK)
    except OSError as error:
        raise StartFailed(f"LONGHAND_HOME {home}: {error.strerror}. {_REMEDY}") from error
    if not is_usable:
        raise StartFailed(f"LONGHAND_HOME {home} is not a folder you may write to. {_REMEDY}")


_REMEDY = "Set LONGHAND_HOME to a folder you may write to."


def lock_home(home: Path) -> int:
    """The descriptor that marks this process as the home's owner, for as long as it is open.

    Raises: StartFailed naming the process that owns it already.
    """
    lock = os.open(home / "up.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(lock, 20).decode(errors="replace").strip()
        os.close(lock)
        raise StartFailed(
            f"Longhand already runs on {home} as process {owner}. Stop it, or set LONGHAND_HOME."
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def write_secret_key(home: Path) -> None:
    """Make the key that signs sessions, once."""
    file = home / "secret_key"
    if file.exists():
        return
    making = home / "secret_key.new"
    making.unlink(missing_ok=True)
    descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(secrets.token_urlsafe(50))
        opened.flush()
        os.fsync(opened.fileno())
    making.rename(file)
