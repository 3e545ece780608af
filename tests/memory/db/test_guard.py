import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from memory.db.guarded import Command, Guarded

# Each starts a child in a session of its own, which a signal to the group alone would miss.
FAMILY = """
import subprocess, sys, time
code = "import time; print('ready', flush=True); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
time.sleep(60)
"""
DEAF = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(60)
"""

Start = Callable[..., Guarded]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Guarded] = []

    def begin(code: str, *, grace_seconds: float = 1.0) -> Guarded:
        file = tmp_path / "output"
        with file.open("wb") as output:
            command = Command(
                arguments=[sys.executable, "-c", code], grace_seconds=grace_seconds, output=output
            )
            started.append(Guarded(command))
        wait_until(lambda: "ready" in file.read_text())
        return started[-1]

    yield begin
    for guarded in started:
        guarded.close()


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def descendants(guarded: Guarded) -> list[psutil.Process]:
    return list(psutil.Process(guarded.pid).children(recursive=True))


def none_alive(processes: list[psutil.Process]) -> bool:
    return not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)


def test_guard_ends_whole_family_when_asked(start: Start) -> None:
    guarded = start(FAMILY)
    family = descendants(guarded)

    guarded.ask_to_stop()

    assert guarded.wait(5.0)
    assert len(family) == 2
    assert none_alive(family)


def test_guard_ends_whole_family_when_command_is_killed(start: Start) -> None:
    guarded = start(FAMILY)
    family = descendants(guarded)

    psutil.Process(guarded.pid).children()[0].kill()

    assert guarded.wait(5.0)
    assert none_alive(family)


def test_guard_kills_when_command_ignores_request(start: Start) -> None:
    guarded = start(DEAF, grace_seconds=0.3)
    family = descendants(guarded)
    asked_at = time.monotonic()

    guarded.ask_to_stop()

    assert guarded.wait(3.0)
    assert time.monotonic() - asked_at >= 0.3
    assert none_alive(family)


def test_guard_forwards_status_when_command_ends(start: Start) -> None:
    guarded = start("print('ready', flush=True); raise SystemExit(7)")

    assert guarded.wait(5.0)
    assert guarded.process.returncode == 7


def test_guard_reports_signal_when_command_is_killed(start: Start) -> None:
    guarded = start("import os\nprint('ready', flush=True)\nos.kill(os.getpid(), 9)")

    assert guarded.wait(5.0)
    assert guarded.process.returncode == 128 + signal.SIGKILL


def test_command_ends_when_guard_itself_is_killed(start: Start) -> None:
    guarded = start("import time; print('ready', flush=True); time.sleep(60)")
    family = descendants(guarded)

    guarded.process.kill()

    wait_until(lambda: none_alive(family))
    assert len(family) == 1


def test_family_ends_when_starter_is_killed(tmp_path: Path) -> None:
    output = tmp_path / "output"
    starter = f"""
import sys, time
from memory.db.guarded import Command, Guarded
with open({str(output)!r}, "wb") as file:
    arguments = [sys.executable, "-c", {FAMILY!r}]
    guarded = Guarded(Command(arguments=arguments, grace_seconds=0.5, output=file))
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", starter], env=dict(os.environ))
    output.touch()
    wait_until(lambda: "ready" in output.read_text())
    family = psutil.Process(process.pid).children(recursive=True)

    process.kill()
    process.wait()

    wait_until(lambda: none_alive(family))
    assert len(family) == 3
