"""`up` from its first start to its end, on one installation for all; each start takes seconds."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.db.place import place_of
from tests.dashboard.supervision.conftest import Installation, command_of, wait_until

pytestmark = pytest.mark.slow

STOP_SECONDS = 10.0


@pytest.fixture(scope="module")
def home() -> Iterator[Installation]:
    """A home of its own, where `up` has not run before the first of these tests."""
    folder = Path(tempfile.mkdtemp(prefix="longhand-up-"))
    installation = Installation(folder)
    yield installation
    installation.clean()
    shutil.rmtree(folder)


def test_up_keeps_one_private_home_when_started_and_leaves_no_process_when_stopped(
    home: Installation,
) -> None:
    up = home.up()
    up.wait_until_running()

    second = home.run("up")
    home.wait_for_queues()
    words = "".join(up.said)
    took = up.stop()

    assert home.url in words
    assert "Sign in" in words
    assert str(home.home) in words
    assert str(place_of(home.home).data) in words
    assert home.home.stat().st_mode & 0o777 == 0o700
    assert (home.home / "secret_key").stat().st_mode & 0o777 == 0o600
    assert second.returncode == 2
    assert str(up.process.pid) in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert took < STOP_SECONDS
    assert up.process.returncode == 0
    assert home.processes() == []


def test_up_starts_again_beside_its_orphans_and_leaves_none_when_killed(
    home: Installation,
) -> None:
    first = home.up("--no-worker")
    first.wait_until_running()
    key = (home.home / "secret_key").read_text()
    commands = [" ".join(command_of(process)) for process in home.processes()]

    first.process.kill()
    first.process.wait()
    began = time.monotonic()
    orphans = home.processes()
    second = home.up()
    second.wait_until_running()
    took = time.monotonic() - began

    assert took < 30.0
    assert any("manage.py web" in command for command in commands)
    assert not any("manage.py worker" in command for command in commands)
    wait_until(lambda: not any(orphan.is_running() for orphan in orphans), seconds=STOP_SECONDS)
    assert (home.home / "secret_key").read_text() == key

    home.wait_for_queues()
    second.process.kill()
    second.process.wait()
    wait_until(lambda: home.processes() == [], seconds=STOP_SECONDS)
