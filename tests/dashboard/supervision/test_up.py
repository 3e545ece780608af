import time

import pytest

from memory.db.place import place_of
from tests.dashboard.supervision.conftest import Installation, wait_until

pytestmark = pytest.mark.slow

STOP_SECONDS = 10.0


def test_up_keeps_one_private_home_when_started_and_leaves_no_process_when_stopped(
    installation: Installation,
) -> None:
    up = installation.up()
    up.wait_until_running()

    second = installation.run("up")
    installation.wait_for_queues()
    words = "".join(up.said)
    took = up.stop()

    assert installation.url in words
    assert "Sign in" in words
    assert str(installation.home) in words
    assert str(place_of(installation.home).data) in words
    assert installation.home.stat().st_mode & 0o777 == 0o700
    assert (installation.home / "secret_key").stat().st_mode & 0o777 == 0o600
    assert second.returncode == 2
    assert str(up.process.pid) in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert took < STOP_SECONDS
    assert up.process.returncode == 0
    assert installation.processes() == []


def test_up_starts_again_when_it_was_killed(furnished: Installation) -> None:
    first = furnished.up()
    first.wait_until_running()
    furnished.wait_for_queues()
    key = (furnished.home / "secret_key").read_text()

    first.process.kill()
    first.process.wait()
    began = time.monotonic()
    orphans = furnished.processes()
    second = furnished.up()
    second.wait_until_running()
    took = time.monotonic() - began

    assert took < 30.0
    wait_until(lambda: not any(orphan.is_running() for orphan in orphans), seconds=STOP_SECONDS)
    assert (furnished.home / "secret_key").read_text() == key
    second.stop()


def test_no_process_is_left_when_up_is_killed(furnished: Installation) -> None:
    up = furnished.up()
    up.wait_until_running()
    furnished.wait_for_queues()

    up.process.kill()
    up.process.wait()

    wait_until(lambda: furnished.processes() == [], seconds=STOP_SECONDS)


def test_up_runs_no_worker_when_told(furnished: Installation) -> None:
    up = furnished.up("--no-worker")
    up.wait_until_running()

    commands = [" ".join(process.cmdline()) for process in furnished.processes()]

    assert any("manage.py web" in command for command in commands)
    assert not any("manage.py worker" in command for command in commands)
    up.stop()
