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
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from ingest.domain.limits import Limits
from ingest.parsers import child
from ingest.parsers.warm_starts import warm_child
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


@dataclass(frozen=True, slots=True)
class Child:
    """A running child, which leads its own group, and the two pipes that it writes to."""

    pid: int
    stdout: IO[bytes]
    stderr: IO[bytes]

    def end(self) -> None:
        """Kill the whole group, which is sure to be this one's until the child is reaped."""
        os.killpg(self.pid, signal.SIGKILL)


@contextlib.contextmanager
def child_process(job: child.Job, folder: Path, password: str, *, warm: bool) -> Iterator[Child]:
    """A child that parses the document; at the end its whole group is killed and it is reaped.

    Shape: a `warm` one comes from the nursery of this thread as soon as there is one.
    Raises: ParserNotStarted.
    """
    try:
        with _pipe_with(password) as reader:
            process = _started(json.dumps(job), folder, reader, warm=warm)
    except OSError as error:
        raise ParserNotStarted.because_of(error) from error
    try:
        yield process
    finally:
        process.end()
        os.waitpid(process.pid, 0)


def job_of(module: str, path: Path, limits: Limits, also_reads: tuple[Path, ...] = ()) -> child.Job:
    """What a child of this process is asked for."""
    return child.Job(
        path=str(path.resolve()),
        parser=module,
        parent_pid=os.getpid(),
        memory_bytes=limits.memory_bytes,
        cpu_seconds=limits.cpu_seconds,
        slow_page_seconds=limits.slow_page_seconds,
        slow_pages=limits.max_pages,
        most_members=limits.max_members,
        most_unpacked_bytes=limits.max_unpacked_bytes,
        largest_member_bytes=limits.max_bytes,
        also_reads=[str(each.resolve()) for each in also_reads],
    )


def _started(job: str, folder: Path, reader: int, *, warm: bool) -> Child:
    with contextlib.ExitStack() as unless_started:
        (stdout, their_out), (stderr, their_err) = os.pipe(), os.pipe()
        for ours in (stdout, stderr):
            unless_started.callback(os.close, ours)
        try:
            streams = (reader, their_out, their_err)
            pid = warm_child(job, folder, streams, _environment(Path("/"))) if warm else None
            pid = pid or _cold_child(job, folder, streams)
        finally:
            os.close(their_out)
            os.close(their_err)
        unless_started.pop_all()
    return Child(pid, os.fdopen(stdout, "rb"), os.fdopen(stderr, "rb"))


def _cold_child(job: str, folder: Path, streams: tuple[int, int, int]) -> int:
    stdin, stdout, stderr = streams
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-I", "-X", "utf8", child.__file__, job],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
    )
    # Waited for by its number, as the others are.
    process.returncode = 0
    return process.pid


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
