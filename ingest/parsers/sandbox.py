"""Parsing in a child program that cannot hurt, outlive or mislead the process that started it."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.domain.elements import Element
from ingest.domain.limits import Limits, readable_bytes
from ingest.domain.refusals import NeedsPassword
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.pipes import ChildPipes
from ingest.parsers.process import (
    FOLDER_PREFIX,
    Child,
    child_folder,
    child_process,
    is_orphaned,
    job_of,
)
from ingest.parsers.protocol import End, Failure, Locked, Message, OutOfMemory, decode
from ingest.parsers.registry import parser_module
from ingest.parsers.taking_over import TakenOver, taking_over
from ingest.parsers.unpacking import HeldFile
from memory.domain.errors import Permanent, Retryable

_EXIT_GRACE_SECONDS = 2.0
# What native code says when it gives up for want of memory.
_OUT_OF_MEMORY = ("bad_alloc", "out of memory", "cannot allocate memory")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many pages are read, of how many."""

    pages_done: int
    pages_total: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the moment to renew a lease or to look for a cancellation."""


@dataclass(frozen=True, slots=True)
class Ended(Tick):
    """All of the document has come, and its child is gone soon: the last event."""


@dataclass(frozen=True, slots=True)
class Held:
    """A file inside the document, or the reason why it is not given.

    Shape: `path` is a label only; `file` is there until the next event is taken at least.
    """

    path: str
    file: Path | None
    reason: str = ""


Event = Progress | Element | Held | Tick


class ParserDied(Retryable):
    """The child ended without a reason; `log` is the end of its stderr, not for its owner."""

    def __init__(self, reason: str, *, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


def parse_in_child(  # noqa: PLR0913 - keywords that describe one parse
    path: Path,
    media_type_id: str,
    limits: Limits,
    *,
    poll_seconds: float = 0.5,
    tmp_root: Path | None = None,
    password: str = "",
    warm: bool = False,
) -> Generator[Event, None, None]:
    """The document's elements and progress, with a `Tick` at least every `poll_seconds`.

    Shape: the first event is a `Tick`, once the child has started, and `Ended` the last; a `warm`
        child starts at once, from the second document of this thread on, for which a process with
        all parsers imported is kept.
    The child dies with the thread that takes the first event, so one thread must take them all.
    Side effects: closing the generator kills the child's process group and removes its folder.
    Raises: NeedsPassword; Permanent if the document cannot be read within the limits; ParserDied
        if the child ended by itself, which a second try may not; ParserNotStarted.
    """
    module = parser_module(media_type_id)
    return run_parser(
        module,
        path,
        limits,
        poll_seconds=poll_seconds,
        tmp_root=tmp_root,
        password=password,
        warm=warm,
    )


def run_parser(  # noqa: PLR0913 - keywords that describe one parse
    module: str,
    path: Path,
    limits: Limits,
    *,
    poll_seconds: float = 0.5,
    tmp_root: Path | None = None,
    password: str = "",
    also_reads: tuple[Path, ...] = (),
    warm: bool = False,
) -> Generator[Event, None, None]:
    """As `parse_in_child`, with the parser named by its module.

    Shape: `also_reads` are other files that it may open.
    """
    deadline = time.monotonic() + limits.wall_seconds
    job = job_of(module, path, limits, also_reads)
    with (
        child_folder(tmp_root) as folder,
        taking_over(folder, limits.max_members) as taken_over,
        child_process(job, folder, password, warm=warm) as process,
        ChildPipes(process.stdout, process.stderr) as pipes,
    ):
        # Whoever waits has something to do beside a child that gets ready.
        yield Tick()
        admit = _Gate(limits, deadline, taken_over).admit
        for line in _lines(pipes, poll_seconds):
            message = _decoded(line, pipes) if line else None
            if isinstance(message, End):
                # What it had in memory is given back while the caller works on what came.
                process.end()
                yield Ended()
                return
            yield admit(message, pipes.received_bytes)
        raise _death(process, pipes, limits)


def sweep(tmp_root: Path, older_than_seconds: float) -> int:
    """Remove the folders of children whose parents were killed; the number removed.

    Units: the age counts only for parents that cannot be asked, such as another host's, and is
        that of the folder's last change; take more than the longest parse.
    """
    newest = time.time() - older_than_seconds
    removed = 0
    for folder in tmp_root.glob(f"{FOLDER_PREFIX}*"):
        with contextlib.suppress(FileNotFoundError):
            if folder.is_symlink() or not folder.is_dir():
                continue
            if is_orphaned(folder) or folder.stat().st_mtime <= newest:
                shutil.rmtree(folder)
                removed += 1
    return removed


class _Gate:
    """Turns messages into events as long as the document stays within its limits."""

    def __init__(self, limits: Limits, deadline: float, taken_over: TakenOver) -> None:
        self._limits = limits
        self._deadline = deadline
        self._taken_over = taken_over
        self._characters = 0
        self._slow_pages = 0

    def admit(self, message: Message | None, received_bytes: int) -> Event:
        """The event for a message; a tick for none.

        Raises: Permanent if the child gave a reason, or a limit is reached.
        """
        self._check_totals(received_bytes)
        match message:
            case Element():
                self._count(message)
                return message
            case Pages():
                self._check_pages(message.total)
                return Progress(message.done, message.total)
            case SlowPage():
                self._allow_more_time()
            case HeldFile():
                return self._handed_over(message)
            case Failure():
                raise Permanent(message.reason)
            case Locked():
                raise NeedsPassword(message.reason)
            case OutOfMemory():
                raise _memory_failure(self._limits)
        return Tick()

    def _handed_over(self, message: HeldFile) -> Held:
        if not message.file:
            return Held(message.path, None, message.reason)
        file = self._taken_over.take(message.file)
        if file is None:
            raise ParserDied("The parser gave a file that is none.")
        return Held(message.path, file)

    def _allow_more_time(self) -> None:
        self._slow_pages += 1
        self._check_pages(self._slow_pages)
        self._deadline += self._limits.slow_page_seconds

    def _check_totals(self, received_bytes: int) -> None:
        if time.monotonic() > self._deadline:
            raise Permanent(
                f"Took longer than {self._limits.wall_seconds:g} s. "
                "Raise LONGHAND_PARSE_WALL_SECONDS or split the file."
            )
        if received_bytes > self._limits.output_bytes:
            raise Permanent(
                f"Gave more than {readable_bytes(self._limits.output_bytes)} of text. "
                "Raise LONGHAND_PARSE_OUTPUT_MB or split the file."
            )

    def _check_pages(self, total: int) -> None:
        if total > self._limits.max_pages:
            raise Permanent(
                f"Has {total:,} pages; the limit is {self._limits.max_pages:,}. "
                "Raise LONGHAND_MAX_PAGES or split it."
            )

    def _count(self, element: Element) -> None:
        self._characters += len(element.text)
        if self._characters > self._limits.max_characters:
            raise Permanent(
                f"Holds more than {self._limits.max_characters:,} characters. "
                "Raise LONGHAND_MAX_CHARACTERS or split it."
            )


def _lines(pipes: ChildPipes, poll_seconds: float) -> Iterator[bytes]:
    """The child's lines until it closes its output, with an empty one each `poll_seconds`."""
    next_tick = time.monotonic() + poll_seconds
    while not pipes.is_at_end:
        yield from pipes.read_lines(max(0.0, next_tick - time.monotonic()))
        if time.monotonic() >= next_tick:
            yield b""
            next_tick = time.monotonic() + poll_seconds


def _decoded(line: bytes, pipes: ChildPipes) -> Message:
    try:
        return decode(line)
    except ValueError:
        raise ParserDied("The parser sent a line that cannot be read.", log=pipes.log) from None


def _death(process: Child, pipes: ChildPipes, limits: Limits) -> Exception:
    """Why a child that closed its output is gone."""
    code = _exit_code(process)
    pipes.read_lines(0)
    if code is None:
        return ParserDied("The parser closed its output and did not end.", log=pipes.log)
    if code == -signal.SIGXCPU:
        return Permanent(
            f"Took longer than {limits.cpu_seconds} s of CPU. "
            "Raise LONGHAND_PARSE_CPU_SECONDS or split the file."
        )
    if code == -signal.SIGABRT and any(sign in pipes.log.lower() for sign in _OUT_OF_MEMORY):
        return _memory_failure(limits)
    if code < 0:
        name = signal.Signals(-code).name
        return ParserDied(f"The parser was killed ({name}).", log=pipes.log)
    return ParserDied(f"The parser stopped with exit code {code}.", log=pipes.log)


def _exit_code(process: Child) -> int | None:
    """How the child ended, None if it is still running; it is not reaped yet."""
    patience = time.monotonic() + _EXIT_GRACE_SECONDS
    options = os.WEXITED | os.WNOWAIT | os.WNOHANG
    while (result := os.waitid(os.P_PID, process.pid, options)) is None:
        if time.monotonic() > patience:
            return None
        time.sleep(0.01)
    return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status


def _memory_failure(limits: Limits) -> Permanent:
    return Permanent(
        f"Needed more than {readable_bytes(limits.memory_bytes)} of memory. "
        "Raise LONGHAND_PARSE_MEMORY_MB or split the file."
    )
