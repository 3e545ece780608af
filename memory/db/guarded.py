"""Starting a command under the guard, and ending it."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

CLOSE_SECONDS = 2.0
GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run, and how its processes are to be ended."""

    arguments: Sequence[str]
    stop: Literal["term", "postgres"] = "term"
    grace_seconds: float = 5.0
    owner: tuple[int, int] | None = None
    environment: Mapping[str, str] | None = None
    folder: Path | None = None
    output: IO[bytes] | None = None
    kept_open: Sequence[int] = field(default=())


class Guarded:
    """A command that ends, with all its processes, when this process does."""

    def __init__(self, command: Command) -> None:
        self._command = command
        reader, writer = os.pipe()
        self._writer: int | None = writer
        self.process = subprocess.Popen(  # noqa: S603 - our own command line
            _command_line(command, reader),
            stdin=subprocess.DEVNULL,
            stdout=command.output,
            stderr=command.output,
            env=None if command.environment is None else dict(command.environment),
            cwd=command.folder,
            pass_fds=(reader, *command.kept_open),
            start_new_session=True,
        )
        os.close(reader)

    @property
    def pid(self) -> int:
        """The guard's process id, which is also its group's."""
        return self.process.pid

    def has_ended(self) -> bool:
        """Whether the guard has gone, and so its command."""
        return self.process.poll() is not None

    def ask_to_stop(self) -> None:
        """Tell the guard to end its command, without waiting for it."""
        with suppress(ProcessLookupError):
            self.process.terminate()

    def wait(self, seconds: float) -> bool:
        """Whether the guard ended within `seconds`."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End what is left of the group at once and let go of the pipe."""
        if self._writer is not None:
            os.close(self._writer)
            self._writer = None
        # PostgreSQL must never be cut off while the guard can still stop it in order.
        if self._command.stop == "term":
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self.wait(CLOSE_SECONDS)


def _command_line(command: Command, pipe: int) -> list[str]:
    options = ["--pipe", str(pipe), "--stop", command.stop, "--grace", str(command.grace_seconds)]
    if command.owner is not None:
        options += ["--owner", "{}:{}".format(*command.owner)]
    return [sys.executable, "-I", "-S", str(GUARD), *options, "--", *command.arguments]
