"""What `up` does for a part that dies or hangs, and for who comes beside; one `up` for all."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memory.db.place import place_of
from tests.dashboard.supervision.conftest import Installation, Up, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Installation, Up]]:
    folder = Path(tempfile.mkdtemp(prefix="longhand-parts-"))
    installation = Installation(folder).furnish()
    up = installation.up(LONGHAND_HEARTBEAT_SECONDS="0.5")
    try:
        up.wait_until_running()
        yield installation, up
        up.stop()
    finally:
        installation.clean()
        shutil.rmtree(folder)


@pytest.fixture
def installation(running: tuple[Installation, Up]) -> Installation:
    """The one that runs, with all its queues."""
    running[0].wait_for_queues()
    return running[0]


def is_back(installation: Installation, *part: str, instead_of: int) -> bool:
    try:
        return bool(installation.part(*part).pid != instead_of)
    except ValueError:
        return False


def test_parts_come_back_when_each_is_killed(
    running: tuple[Installation, Up], installation: Installation
) -> None:
    web, worker = installation.part("web"), installation.part("worker")
    queues = [p for p in installation.processes() if p.cmdline()[2:3] == ["qcluster"]]

    web.kill()
    wait_until(lambda: is_back(installation, "web", instead_of=web.pid))
    wait_until(installation.answers)
    worker.kill()
    wait_until(lambda: is_back(installation, "worker", instead_of=worker.pid))

    assert queues
    wait_until(lambda: not any(queue.is_running() for queue in queues))
    assert running[1].process.poll() is None


def test_web_and_worker_live_on_when_database_is_killed(installation: Installation) -> None:
    web, worker = installation.part("web"), installation.part("worker")
    database = installation.postmaster()

    database.kill()
    wait_until(lambda: not database.is_running())
    wait_until(installation.has_database)

    with psycopg.connect(place_of(installation.home).url) as connection:
        assert connection.execute("SELECT count(*) > 0 FROM memory_user").fetchone() == (True,)
    assert web.is_running()
    assert worker.is_running()
    assert installation.answers()


def test_worker_is_replaced_when_it_hangs(
    running: tuple[Installation, Up], installation: Installation
) -> None:
    worker = installation.part("worker")

    worker.suspend()

    wait_until(lambda: is_back(installation, "worker", instead_of=worker.pid), seconds=40)
    assert any("part.silent" in line for line in running[1].complained)


def test_lone_command_uses_running_database_when_up_runs(
    running: tuple[Installation, Up],
) -> None:
    installation = running[0]
    database = installation.postmaster().pid

    checked = installation.run("migrate", "--check")

    assert checked.returncode == 0, checked.stderr
    assert installation.postmaster().pid == database
    wait_until(installation.answers)
