"""Replaces a folder as a whole, so that a reader meets the old one or the new one."""

import fcntl
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def only_writer(target: Path) -> Iterator[None]:
    """Make a second writer of this folder wait until the first is done; a crash frees the lock.

    Side effects: leaves an empty lock file beside the folder.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / f".{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def replace_folder(target: Path, build: Callable[[Path], None]) -> None:
    """Let `build` fill a new folder and put it in the target's place; if it fails, nothing changes.

    Call it as the only writer.
    """
    prefix = f".{target.name}.new-"
    for leftover in target.parent.glob(f"{prefix}*"):
        shutil.rmtree(leftover)  # of a writer that was killed: holding the lock proves it is gone
    workshop = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
    try:
        fresh = workshop / "fresh"
        fresh.mkdir(mode=0o755)
        build(fresh)
        if target.exists():
            target.rename(workshop / "stale")
        fresh.rename(target)
    finally:
        shutil.rmtree(workshop)
