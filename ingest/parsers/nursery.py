"""The program that has the parsers imported already and splits off a child for each document.

It never sees a document itself, so no child can leave anything to the next one. A child that is
split off becomes a child of the process that asked, as if that had started it.

Run by path under `python -I`, as the child that parses is; its only argument names the socket.
"""

import ctypes
import gc
import importlib
import json
import os
import platform
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
READY, REFUSED = b"ready", b"refused"
LONGEST_ORDER_BYTES = 65_536
IDLE_SECONDS = 300.0
_STREAMS = 3
_OWN = tuple(
    f"ingest.parsers.{name}"
    for name in ("confinement", "isolation", "landlock", "last_words", "transmission")
)
_CLONE_PARENT = 0x00008000
# Python cannot ask for a child of its parent, so the kernel is asked by number.
CLONE_NUMBERS = {"x86_64": 56, "aarch64": 220}


class Order(NamedTuple):
    """A child's folder and its job, as the parent sent them."""

    folder: str
    job: str


def serve(door: socket.socket) -> Order | None:
    """Split off children until nobody asks any more.

    The order in each child; None at the end, in this process.
    """
    door.settimeout(IDLE_SECONDS)
    while True:
        try:
            message, streams, *_ = socket.recv_fds(door, LONGEST_ORDER_BYTES, _STREAMS)
        except TimeoutError:
            return None
        if not message:
            return None
        pid = _split_off()
        if pid == 0:
            _take(door, streams)
            return Order(*json.loads(message))
        for stream in streams:
            os.close(stream)
        if pid < 0:
            door.send(REFUSED)


def _split_off() -> int:
    """As `os.fork`, for a child of this process's parent; negative if there is none."""
    # The lock of the interpreter stays held, which `CDLL` would give away.
    python = ctypes.PyDLL(None)
    python.PyOS_BeforeFork()
    number = CLONE_NUMBERS[platform.machine()]
    pid: int = python.syscall(number, _CLONE_PARENT | signal.SIGCHLD, None, None, None, None)
    if pid == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    return pid


def _take(door: socket.socket, streams: list[int]) -> None:
    """Stand on one's own feet before anybody hears of it: whoever asked may kill the group."""
    os.setsid()
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
        os.close(stream)
    door.send(str(os.getpid()).encode())
    door.close()


def _settle(folder: str) -> None:
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=folder)
    tempfile.tempdir = None


def _import_parsers() -> None:
    from ingest.parsers.registry import PARSER_MODULES

    for module in (*_OWN, *dict.fromkeys(PARSER_MODULES.values())):
        importlib.import_module(module)
    # What lives now lives for ever; a child that looked through it would copy every page.
    gc.collect()
    gc.freeze()


def main(descriptor: int, parent_pid: int) -> Order | None:
    """Import the parsers, then serve."""
    sys.path.append(str(PROJECT))
    from ingest.parsers import child, confinement

    child.leave_out()
    confinement.die_with(parent_pid)
    _import_parsers()
    with socket.socket(fileno=descriptor) as door:
        door.send(READY)
        order = serve(door)
    if order is not None:
        _settle(order.folder)
    return order


if __name__ == "__main__":
    order = main(*map(int, sys.argv[1:]))
    if order is not None:
        from ingest.parsers import child

        child.main(json.loads(order.job), sys.stdin.read())
