"""Children from a process that has everything imported: what a document waits for otherwise."""

import atexit
import contextlib
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from ingest.parsers import nursery

ANSWER_SECONDS = 5.0
_ANSWER_BYTES = 64
_own = threading.local()


class Nursery:
    """Asks the program `nursery` for children; they are children of this process."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Start the program, which is ready a moment later.

        Raises: OSError.
        """
        self.owner = os.getpid()
        self._is_ready = False
        self._door, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            arguments = [nursery.__file__, str(theirs.fileno()), str(os.getpid())]
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
                [sys.executable, "-I", "-X", "utf8", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=dict(environment),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def is_ready(self) -> bool:
        """Whether everything is imported by now.

        Raises: OSError if the program has ended.
        """
        self._is_ready = self._is_ready or self._has_answered()
        return self._is_ready

    def split_off(self, job: str, folder: Path, streams: Sequence[int]) -> int | None:
        """The number of a new child with this job; None while the program is not ready.

        Raises: OSError if it has ended or gives no child.
        """
        if not self.is_ready():
            return None
        self._door.settimeout(ANSWER_SECONDS)
        order = json.dumps([str(folder), job]).encode()
        socket.send_fds(self._door, [order], list(streams))
        answer = self._door.recv(_ANSWER_BYTES)
        if not answer.isdigit():
            raise ChildProcessError("The nursery gives no child.")
        return int(answer)

    def close(self) -> None:
        """End the program; its children stay, but for one that nobody has heard of yet."""
        with self._door:
            if self.owner == os.getpid():
                self._process.kill()
                self._process.wait()
                self._end_unheard()
            else:
                # Another process's child, which only that one can wait for.
                self._process.returncode = 0

    def _end_unheard(self) -> None:
        """Kill and reap children whose numbers come too late, until no process holds the door."""
        self._door.settimeout(ANSWER_SECONDS)
        with contextlib.suppress(TimeoutError, ConnectionError):
            while answer := self._door.recv(_ANSWER_BYTES):
                if answer.isdigit():
                    os.killpg(int(answer), signal.SIGKILL)
                    os.waitpid(int(answer), 0)

    def _has_answered(self) -> bool:
        self._door.settimeout(0)
        try:
            answer = self._door.recv(_ANSWER_BYTES)
        except BlockingIOError:
            return False
        if answer != nursery.READY:
            raise ChildProcessError("The nursery has ended.")
        return True


def warm_child(
    job: str, folder: Path, streams: Sequence[int], environment: Mapping[str, str]
) -> int | None:
    """The number of a child that needs to import nothing; None where there is none yet.

    Side effects: the first call of a thread starts its nursery, which ends with the thread.
    """
    if sys.platform != "linux" or platform.machine() not in nursery.CLONE_NUMBERS:
        return None
    # A cold start does as well; the next document finds a new nursery.
    with contextlib.suppress(OSError), contextlib.ExitStack() as unless_answered:
        # An answer that is left would give the next document the child of this one.
        unless_answered.callback(close_nursery)
        pid = _nursery_of_thread(environment).split_off(job, folder, streams)
        unless_answered.pop_all()
        return pid
    return None


def has_nursery() -> bool:
    """Whether this thread's next warm child starts at once."""
    kept: Nursery | None = getattr(_own, "nursery", None)
    try:
        return kept is not None and kept.owner == os.getpid() and kept.is_ready()
    except OSError:
        return False


def close_nursery() -> None:
    """End this thread's nursery, if there is one."""
    kept: Nursery | None = getattr(_own, "nursery", None)
    if kept is not None:
        _own.nursery = None
        with contextlib.suppress(OSError):
            kept.close()


def _nursery_of_thread(environment: Mapping[str, str]) -> Nursery:
    kept: Nursery | None = getattr(_own, "nursery", None)
    if kept is not None and kept.owner == os.getpid():
        return kept
    close_nursery()
    _own.nursery = kept = Nursery(environment)
    return kept


atexit.register(close_nursery)
