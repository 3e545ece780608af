"""The life of one child program: its folder, its start, its certain end."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from ingest.domain.limits import Limits
from ingest.parsers import child
from memory.domain.errors import Retryable

FOLDER_PREFIX = "longhand-parse-"


class ParserNotStarted(Retryable):
    """This host cannot start a parser now; no document is to blame."""

    @classmethod
    def because_of(cls, error: OSError) -> Self:
        """The failure with its cause and the remedy, without any path."""
        cause = error.strerror or type(error).__name__
        return cls(
            f"The parser cannot be started: {cause}. "
            "Check LONGHAND_HOME/tmp, free space, memory and open files of the worker."
        )


def own_prefix() -> str:
    """How the folders of this host's children begin; the parent's process id comes next.

    Hosts that share a disk do not share process ids.
    """
    return f"{FOLDER_PREFIX}{socket.gethostname()}-"


def is_orphaned(folder: Path) -> bool:
    """Whether a process of this host made the folder and has ended since."""
    rest = folder.name.removeprefix(own_prefix())
    pid = rest.partition("-")[0]
    if rest == folder.name or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


@contextlib.contextmanager
def child_folder(tmp_root: Path | None) -> Iterator[Path]:
    """A new private folder for one child, removed when the child is done.

    Raises: ParserNotStarted.
    """
    prefix = f"{own_prefix()}{os.getpid()}-"
    try:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=tmp_root))
    except OSError as error:
        raise ParserNotStarted.because_of(error) from error
    try:
        yield folder
    finally:
        # What cannot be removed now is left to `sweep`: the parse itself has its result.
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def child_process(
    module: str, path: Path, limits: Limits, folder: Path, password: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    """A child that parses the document; at the end its whole group is killed and it is reaped.

    Raises: ParserNotStarted.
    """
    job = child.Job(
        path=str(path.resolve()),
        parser=module,
        parent_pid=os.getpid(),
        memory_bytes=limits.memory_bytes,
        cpu_seconds=limits.cpu_seconds,
        slow_page_seconds=limits.slow_page_seconds,
        slow_pages=limits.max_pages,
    )
    program = [sys.executable, "-I", "-X", "utf8", child.__file__]
    process = _started([*program, json.dumps(job)], folder, password)
    try:
        yield process
    finally:
        # The leader is not reaped yet, so its number cannot belong to another group.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _started(arguments: list[str], folder: Path, password: str) -> subprocess.Popen[bytes]:
    try:
        with _pipe_with(password) as reader:
            return subprocess.Popen(  # noqa: S603 - our own interpreter and program
                arguments,
                stdin=reader,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=_environment(folder),
                start_new_session=True,
            )
    except OSError as error:
        raise ParserNotStarted.because_of(error) from error


@contextlib.contextmanager
def _pipe_with(password: str) -> Iterator[int]:
    """The reading end of a pipe that holds the password and ends; it fits, so nobody waits."""
    reader, writer = os.pipe()
    try:
        try:
            os.write(writer, password.encode())
        finally:
            os.close(writer)
        yield reader
    finally:
        os.close(reader)


def _environment(folder: Path) -> dict[str, str]:
    """All that a parser needs to know; settings and secrets stay with the parent."""
    return {
        "PATH": os.defpath,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "DO_NOT_TRACK": "1",
        "UNSTRUCTURED_DISABLE_NOTICE": "1",
        # One document, one core; each further thread would also reserve address space.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OPENCV_FOR_THREADS_NUM": "1",
        "MALLOC_ARENA_MAX": "2",
    }
