import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

import psutil
import pytest

from memory.db.place import place_of
from memory.db.server import is_running

ROOT = Path(__file__).parents[3]
START_SECONDS = 90.0
COMMAND_SECONDS = 60.0


class Installation:
    """A home and a port of their own, and the commands run on them."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.home = folder / "home"
        self.settings = settings
        self.port = free_port()
        self.started: list[Up] = []

    def furnish(self) -> "Installation":
        """Begin as a copy of one that ran before, so that no first start has to be waited for."""
        other = ran_before()
        self.home.parent.mkdir(parents=True, exist_ok=True)
        sources = {other.home: self.home, place_of(other.home).base: place_of(self.home).base}
        for source, target in sources.items():
            subprocess.run(["cp", "-a", str(source), str(target)], check=True)
        return self

    @property
    def database_url(self) -> str:
        return self.settings.get("DATABASE_URL") or place_of(self.home).url

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def environment(self, **changes: str) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("LONGHAND_", "DATABASE_URL", "PYTEST", "COV_"))
        }
        return {
            **kept,
            "LONGHAND_HOME": str(self.home),
            "LONGHAND_PORT": str(self.port),
            "LONGHAND_EMBEDDER": "hashing",
            "LONGHAND_HEARTBEAT_SECONDS": "2",
            **self.settings,
            **changes,
        }

    def run(
        self, *arguments: str, within: Sequence[str] = (), **changes: str
    ) -> "subprocess.CompletedProcess[str]":
        """A command that ends, perhaps inside of another that shuts it in."""
        return subprocess.run(
            [*within, sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment(**changes),
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )

    def up(self, *options: str, **changes: str) -> "Up":
        return self.start("up", *options, **changes)

    def start(self, *arguments: str, within: Sequence[str] = (), **changes: str) -> "Up":
        """A command that goes on, perhaps inside of another that shuts it in."""
        process = subprocess.Popen(
            [*within, sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment(**changes),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(Up(process))
        return self.started[-1]

    def processes(self) -> list[psutil.Process]:
        """Everything that runs for this home, whatever group or session it is in."""
        data = str(place_of(self.home).data)
        return [p for p in psutil.process_iter(["cwd"]) if self._owns(p, data)]

    def _owns(self, process: psutil.Process, data: str) -> bool:
        # Asked again and again of every process there is: the status, which costs most, comes last.
        with suppress(psutil.Error):
            works_there = process.info["cwd"] == data
            if works_there or process.environ().get("LONGHAND_HOME") == str(self.home):
                return bool(process.status() != psutil.STATUS_ZOMBIE)
        return False

    def part(self, *words: str) -> psutil.Process:
        """The one process whose command line ends with these words."""
        found = [
            process
            for process in self.processes()
            if "guard.py" not in " ".join(command_of(process))
            and command_of(process)[2 : 2 + len(words)] == list(words)
        ]
        return min(found, key=lambda process: process.create_time())

    def postmaster(self) -> psutil.Process:
        pid_file = place_of(self.home).data / "postmaster.pid"
        return psutil.Process(int(pid_file.read_text().split()[0]))

    def wait_for_queues(self) -> None:
        """Wait until both queues have all their processes."""

        def are_complete() -> bool:
            commands = [command_of(process) for process in self.processes()]
            return sum(command[2:3] == ["qcluster"] for command in commands) >= 10

        wait_until(are_complete, seconds=START_SECONDS)

    def has_database(self) -> bool:
        return is_running(place_of(self.home))

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/health/live", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def clean(self) -> None:
        for up in self.started:
            up.process.kill()
            up.process.wait()
            # Shown only when the test failed.
            sys.stdout.write("".join(up.said + up.complained))
        wait_until(lambda: not self.processes(), seconds=20)
        if os.geteuid() == 0:
            shutil.rmtree(place_of(self.home).base, ignore_errors=True)


class Up:
    """A running `up`, whose words are collected as they come."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        self.complained: list[str] = []
        for stream, lines in ((process.stdout, self.said), (process.stderr, self.complained)):
            threading.Thread(target=_collect, args=(stream, lines), daemon=True).start()

    def wait_until_running(self) -> None:
        def is_settled() -> bool:
            assert self.process.poll() is None, "".join(self.complained)
            return any("Stop it" in line for line in self.said)

        wait_until(is_settled, seconds=START_SECONDS)

    def stop(self) -> float:
        """End it as a person would, and tell how many seconds that took."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(15)
        return time.monotonic() - began


def _collect(stream: IO[str], lines: list[str]) -> None:
    with suppress(ValueError):
        for line in stream:
            lines.append(line)  # noqa: PERF402 - each line counts as soon as it is there


def command_of(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return list(process.cmdline())
    return []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(holds: Callable[[], bool], seconds: float = 20.0, *, every: float = 0.1) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(every)


@cache
def ran_before() -> Installation:
    """An installation that has been started and stopped, once for all tests of this process."""
    folder = Path(tempfile.mkdtemp(prefix="longhand-ran-"))
    installation = Installation(folder)
    atexit.register(_remove, installation, folder)
    up = installation.up("--no-worker")
    up.wait_until_running()
    up.stop()
    return installation


def _remove(installation: Installation, folder: Path) -> None:
    installation.clean()
    shutil.rmtree(folder)


@pytest.fixture
def installation() -> Iterator[Installation]:
    folder = Path(tempfile.mkdtemp(prefix="longhand-up-"))
    installation = Installation(folder)
    yield installation
    _remove(installation, folder)


@pytest.fixture
def furnished(installation: Installation) -> Installation:
    return installation.furnish()
