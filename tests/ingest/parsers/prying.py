"""A parser that tries one way out, past Python; only the child program ever runs it."""

import ctypes
import errno
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages

_system = ctypes.CDLL(None, use_errno=True)


def _outcome(result: int) -> str:
    """ "done", or the name of the error."""
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def connect_by_tcp(port: str) -> str:
    door = _system.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
    address = socket.AF_INET.to_bytes(2, "little") + int(port).to_bytes(2, "big")
    address += bytes((127, 0, 0, 1)) + bytes(8)
    return _outcome(_system.connect(door, address, len(address)))


def connect_by_name(path: str) -> str:
    door = _system.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0)
    address = socket.AF_UNIX.to_bytes(2, "little") + path.replace("@", "\0").encode()
    # A place in the file system ends with a zero; a name beside it is as long as it says.
    address += b"" if path.startswith("@") else b"\0"
    return _outcome(_system.connect(door, address, len(address)))


def open_file(path: str) -> str:
    return _outcome(_system.open(path.encode(), os.O_RDONLY))


def write_file(path: str) -> str:
    return _outcome(_system.open(path.encode(), os.O_WRONLY | os.O_CREAT, 0o600))


def tell_status(_nothing: str) -> str:
    lines = Path("/proc/self/status").read_text().splitlines()
    kept = [line for line in lines if line.startswith(("CapEff", "CapBnd", "NoNewPrivs"))]
    return " ".join("".join(line.split()) for line in kept)


def tell_descriptors(_nothing: str) -> str:
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(descriptor.readlink()).partition(":")[0])
        except FileNotFoundError:
            continue
    return " ".join(sorted(found))


def write_here(_nothing: str) -> str:
    Path("own").write_text("x")
    return Path("own").read_text()


def parse(path: Path) -> Iterator[Element | Pages]:
    """Do what the document says; a second document may name what to do it to."""
    name, argument = json.loads(path.read_text())
    yield Element(ElementKind.TEXT, f"{os.getpid()} {os.getppid()}", None, ())
    yield Element(ElementKind.TEXT, globals()[name](argument), None, ())
