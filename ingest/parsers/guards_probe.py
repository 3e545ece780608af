"""Which guards hold for a parser on this host, found out by trying to get past them.

Native code is what counts, so the system is called directly, past all that refuses in Python.
"""

import contextlib
import ctypes
import errno
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages, SlowPage

NO_NETWORK, NO_SOCKETS, OWN_FILES = "no network", "no sockets", "own files only"
# Whatever it is there, a parser has no business with it.
_SHUT = Path("/")
_ANY_PORT = 9


@contextlib.contextmanager
def listening() -> Iterator[Path]:
    """A socket of this process with a place in the file system, as a database has one.

    Raises: OSError.
    """
    with (
        tempfile.TemporaryDirectory(prefix="longhand-") as folder,
        socket.socket(socket.AF_UNIX) as door,
    ):
        # The system's own folder, for a socket's name may be no longer than a hundred letters.
        path = Path(folder, "door")
        door.bind(str(path))
        door.listen()
        yield path


def parse(path: Path) -> Iterator[Element | Pages | SlowPage]:
    """One element for each guard that holds, and one that shows that a parser runs.

    Shape: the document is what `listening` gives.
    """
    yield Element(ElementKind.TEXT, "A parser runs.", None, ())
    if not _reaches_itself():
        yield Element(ElementKind.TEXT, NO_NETWORK, None, ())
    if not _connects(path):
        yield Element(ElementKind.TEXT, NO_SOCKETS, None, ())
    if not _opens(_SHUT):
        yield Element(ElementKind.TEXT, OWN_FILES, None, ())


def _reaches_itself() -> bool:
    """Whether there is a way to this host's own address; nothing is sent."""
    system = ctypes.CDLL(None, use_errno=True)
    door = system.socket(socket.AF_INET, socket.SOCK_DGRAM, 0)
    if door < 0:
        return False
    try:
        address = socket.AF_INET.to_bytes(2, "little") + _ANY_PORT.to_bytes(2, "big")
        address += bytes((127, 0, 0, 1)) + bytes(8)
        is_there: bool = system.connect(door, address, len(address)) == 0
        return is_there or ctypes.get_errno() != errno.ENETUNREACH
    finally:
        os.close(door)


def _connects(path: Path) -> bool:
    system = ctypes.CDLL(None, use_errno=True)
    door = system.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0)
    if door < 0:
        return False
    try:
        address = socket.AF_UNIX.to_bytes(2, "little") + bytes(path) + b"\0"
        is_there: bool = system.connect(door, address, len(address)) == 0
        return is_there
    finally:
        os.close(door)


def _opens(folder: Path) -> bool:
    system = ctypes.CDLL(None, use_errno=True)
    opened: int = system.open(bytes(folder), os.O_RDONLY | os.O_DIRECTORY)
    if opened < 0:
        return False
    os.close(opened)
    return True
