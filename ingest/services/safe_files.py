"""Files below a folder, listed and opened so that no link leads out of it, not even a new one."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

NO_LINK = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
# What other programs write before a file is whole, or keep beside it.
TEMPORARY_ENDINGS = (".part", ".partial", ".crdownload", ".download", ".tmp", ".temp", ".swp", "~")
HIDDEN_BEGINNINGS = (".", "~$")
OPENED_FILES = Path("/proc/self/fd")
MOST_PATH_CHARACTERS = 1_024
MOST_LEVELS = 100


class LedAway(OSError):  # noqa: N818 - named for what happened
    """A file or folder is a link, no plain file, or was moved out of the folder meanwhile."""

    def __init__(self) -> None:
        super().__init__("it is a link, or no plain file")


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was when it was looked at.

    Units: nanoseconds of the last change of its bytes, its rights or its name.
    """

    size_bytes: int
    changed_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "FileState":
        """The state that the system tells."""
        return cls(status.st_size, max(status.st_mtime_ns, status.st_ctime_ns))


@dataclass(slots=True)
class Listing:
    """The plain files below a folder, and what could not be looked into.

    Shape: `files` by their path in the folder as text; `paths` has those that are no text.
    """

    files: dict[str, FileState] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)


def list_files(root: Path, pattern: str = "") -> Listing:
    """What is below the folder, without links, hidden and temporary files.

    Raises: OSError when the folder itself is not there or cannot be read; LedAway if it is a link.
    """
    listing = Listing()
    top = open_folder(root)
    try:
        walk = os.fwalk(".", dir_fd=top, onerror=lambda error: _note(listing, error))
        for folder, folders, files, here in walk:
            folders[:] = sorted(name for name in folders if not is_passed_over(name))
            if folders and folder.count("/") >= MOST_LEVELS:
                listing.closed.append(f"folders more than {MOST_LEVELS} deep")
                folders.clear()
            for name in sorted(files):
                path = str(PurePosixPath(folder, name))
                if not is_passed_over(name) and _fits(path, pattern):
                    _add(listing, path, name, here)
    finally:
        os.close(top)
    return listing


def open_folder(root: Path) -> int:
    """The folder at this path, which has no link in it, as an open descriptor.

    Raises: OSError; LedAway.
    """
    opened = os.open(root, NO_LINK | os.O_DIRECTORY)
    if _real_path(opened, root) == root:
        return opened
    os.close(opened)
    raise LedAway


@contextmanager
def opened_inside(root: Path, path: str) -> Iterator[int]:
    """A plain file below the folder, opened step by step so that no link is followed.

    Raises: OSError; LedAway.
    """
    *folders, name = PurePosixPath(path).parts
    here = open_folder(root)
    try:
        for folder in folders:
            above, here = here, os.open(folder, NO_LINK | os.O_DIRECTORY, dir_fd=here)
            os.close(above)
        # A pipe would wait for whoever writes into it.
        file = os.open(name, NO_LINK | os.O_NONBLOCK, dir_fd=here)
    finally:
        os.close(here)
    try:
        is_plain = stat.S_ISREG(os.fstat(file).st_mode)
        if not is_plain or not _real_path(file, root / path).is_relative_to(root):
            raise LedAway
        yield file
    finally:
        os.close(file)


def is_passed_over(name: str) -> bool:
    """Whether a name is that of a hidden file, or of one that another program is still writing."""
    lowered = name.lower()
    return lowered.startswith(HIDDEN_BEGINNINGS) or lowered.endswith(TEMPORARY_ENDINGS)


def as_text(path: str) -> str:
    """A path as text that a database can hold, whatever its bytes are; each has its own."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _fits(path: str, pattern: str) -> bool:
    return not pattern or PurePosixPath(path).match(pattern)


def _add(listing: Listing, path: str, name: str, here: int) -> None:
    try:
        status = os.stat(name, dir_fd=here, follow_symlinks=False)
    except FileNotFoundError:
        return  # it went while the folder was read
    if not stat.S_ISREG(status.st_mode):
        return
    told = as_text(path)
    if len(told) > MOST_PATH_CHARACTERS:
        listing.closed.append("a file whose path is too long")
        return
    listing.files[told] = FileState.of(status)
    if told != path:
        listing.paths[told] = path


def _note(listing: Listing, error: OSError) -> None:
    listing.closed.append(f"{error.filename}: {error.strerror}")


def _real_path(opened: int, told: Path) -> Path:
    """Where the opened file is now; where the system does not say, as it was told."""
    try:
        return (OPENED_FILES / str(opened)).readlink()
    except OSError:
        return told
