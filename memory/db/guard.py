"""A small program that starts one command and ends all of its processes when `up` goes away.

Started by file path with `python -I -S`, so it imports the standard library only, and little of it.
"""

import argparse
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
KILL_SECONDS = 5.0


class Guard:
    """One command and everything that descends from it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.wake = _wake_on_signals()
        self.child = _start(options)

    def run(self) -> int:
        """Wait for the end of the command or of the pipe, and leave no process behind."""
        asked_to_stop = self._wait_until_asked()
        if asked_to_stop:
            self._stop()
        else:
            self._signal_all(signal.SIGTERM)
            self._wait_until_alone(time.monotonic() + self.options.grace)
        self._kill_the_rest()
        code = self.child.returncode
        return 128 + signal.SIGKILL if code is None else code if code >= 0 else 128 - code

    def _wait_until_asked(self) -> bool:
        """Whether somebody asked for the end, rather than the command ending by itself."""
        while self.child.returncode is None:
            ready, _, _ = select.select([self.options.pipe, self.wake], [], [])
            if self.options.pipe in ready and not os.read(self.options.pipe, 64):
                return True
            if self.wake in ready and set(os.read(self.wake, 64)) - {signal.SIGCHLD}:
                return True
            self._reap()
        return False

    def _stop(self) -> None:
        """Ask the command itself first: it knows in which order its own processes end."""
        grace = time.monotonic() + self.options.grace
        for number, seconds in _steps(self.options):
            self._reap()
            if self.child.returncode is not None:
                break
            self.child.send_signal(number)
            self._wait_for_command(time.monotonic() + seconds)
        self._wait_until_alone(grace)

    def _wait_for_command(self, deadline: float) -> None:
        while self.child.returncode is None and self._pause(deadline):
            self._reap()

    def _wait_until_alone(self, deadline: float) -> None:
        while self._children() and self._pause(deadline):
            self._reap()

    def _kill_the_rest(self) -> None:
        deadline = time.monotonic() + KILL_SECONDS
        while self._children() and time.monotonic() < deadline:
            # Killing a parent hands its children to the guard, so one round may not be the last.
            self._signal_all(signal.SIGKILL)
            self._pause(time.monotonic() + 0.05)

    def _signal_all(self, number: signal.Signals) -> None:
        for pid in self._children():
            os.kill(pid, number)  # not reaped yet, so the number still belongs to our child

    def _children(self) -> list[int]:
        """Processes whose parent is the guard, orphans of the command included."""
        self._reap()
        try:
            listing = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        except OSError:  # not Linux: only the command itself is known
            return [self.child.pid] if self.child.returncode is None else []
        return [int(pid) for pid in listing.split()]

    def _reap(self) -> None:
        try:
            while (found := os.waitpid(-1, os.WNOHANG)) != (0, 0):
                if found[0] == self.child.pid:
                    self.child.returncode = os.waitstatus_to_exitcode(found[1])
        except ChildProcessError:
            return

    def _pause(self, deadline: float) -> bool:
        """Sleep until a child ends, and say whether the deadline is still ahead."""
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            return False
        if select.select([self.wake], [], [], min(seconds, 0.2))[0]:
            os.read(self.wake, 64)
        return True


def main(arguments: list[str]) -> int:
    """Guard the command named by the arguments."""
    parser = argparse.ArgumentParser(prog="guard")
    parser.add_argument("--pipe", type=int, required=True, help="stop when this descriptor closes")
    parser.add_argument("--stop", choices=("term", "postgres"), default="term")
    parser.add_argument("--grace", type=float, default=5.0)
    parser.add_argument("--owner", help="uid:gid the command runs as")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    if sys.platform == "linux":
        # Grandchildren whose parent dies become children of the guard, which can then end them.
        _prctl(SET_CHILD_SUBREAPER, 1)
    return Guard(options).run()


def _steps(options: argparse.Namespace) -> list[tuple[signal.Signals, float]]:
    if options.stop == "postgres":
        # Its own children lead their own sessions, and leave when their parent does.
        return [(signal.SIGINT, options.grace), (signal.SIGQUIT, 1.0), (signal.SIGKILL, 1.0)]
    return [(signal.SIGTERM, options.grace)]


def _start(options: argparse.Namespace) -> subprocess.Popen[bytes]:
    uid, gid = map(int, options.owner.split(":")) if options.owner else (None, None)

    def before_exec() -> None:
        # The kernel forgets this setting when the user changes, so it comes after that.
        if sys.platform == "linux":
            _prctl(SET_PARENT_DEATH_SIGNAL, _steps(options)[0][0])

    return subprocess.Popen(  # noqa: S603 - our own command line
        options.command,
        stdin=subprocess.DEVNULL,
        preexec_fn=before_exec,
        user=uid,
        group=gid,
        extra_groups=None if uid is None else [],
    )


def _prctl(option: int, value: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_on_signals() -> int:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    for name in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, _note)
    return reader


def _note(number: int, frame: FrameType | None) -> None:
    """The number itself arrives through the wake-up pipe."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
