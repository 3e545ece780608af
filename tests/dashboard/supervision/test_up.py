import time

import pytest

from memory.db.place import place_of
from tests.dashboard.supervision.conftest import Installation, wait_until

pytestmark = pytest.mark.slow

STOP_SECONDS = 10.0


def is_back(installation: Installation, *part: str, instead_of: int) -> bool:
    try:
        return bool(installation.part(*part).pid != instead_of)
    except ValueError:
        return False


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


def test_up_starts_again_when_it_was_killed(installation: Installation) -> None:
    first = installation.up()
    first.wait_until_running()
    installation.wait_for_queues()
    key = (installation.home / "secret_key").read_text()

    first.process.kill()
    first.process.wait()
    began = time.monotonic()
    orphans = installation.processes()
    second = installation.up()
    second.wait_until_running()
    took = time.monotonic() - began

    assert took < 30.0
    wait_until(lambda: not any(orphan.is_running() for orphan in orphans), seconds=STOP_SECONDS)
    assert (installation.home / "secret_key").read_text() == key
    second.stop()


def test_no_process_is_left_when_up_is_killed(installation: Installation) -> None:
    up = installation.up()
    up.wait_until_running()
    installation.wait_for_queues()

    up.process.kill()
    up.process.wait()

    wait_until(lambda: installation.processes() == [], seconds=STOP_SECONDS)


def test_parts_come_back_when_each_is_killed(installation: Installation) -> None:
    up = installation.up()
    up.wait_until_running()
    installation.wait_for_queues()
    web, worker = installation.part("web"), installation.part("worker")
    queues = [p for p in installation.processes() if p.cmdline()[2:3] == ["qcluster"]]

    web.kill()
    wait_until(lambda: is_back(installation, "web", instead_of=web.pid))
    wait_until(installation.answers)
    worker.kill()
    wait_until(lambda: is_back(installation, "worker", instead_of=worker.pid))

    assert queues
    wait_until(lambda: not any(queue.is_running() for queue in queues))
    assert up.process.poll() is None
    assert up.stop() < STOP_SECONDS
    assert installation.processes() == []


def test_web_and_worker_live_on_when_database_is_killed(installation: Installation) -> None:
    up = installation.up()
    up.wait_until_running()
    installation.wait_for_queues()
    web, worker = installation.part("web"), installation.part("worker")
    database = installation.postmaster()

    database.kill()
    wait_until(lambda: not database.is_running())
    wait_until(installation.has_database)

    answer = installation.run("migrate", "--check", DATABASE_URL=place_of(installation.home).url)
    assert answer.returncode == 0, answer.stderr
    assert web.is_running()
    assert worker.is_running()
    assert installation.answers()
    up.stop()


def test_worker_is_replaced_when_it_hangs(installation: Installation) -> None:
    up = installation.up(LONGHAND_HEARTBEAT_SECONDS="0.5")
    up.wait_until_running()
    installation.wait_for_queues()
    worker = installation.part("worker")

    worker.suspend()

    wait_until(lambda: is_back(installation, "worker", instead_of=worker.pid), seconds=40)
    assert any("part.silent" in line for line in up.complained)
    up.stop()


def test_up_runs_no_worker_when_told(installation: Installation) -> None:
    up = installation.up("--no-worker")
    up.wait_until_running()

    commands = [" ".join(process.cmdline()) for process in installation.processes()]

    assert any("manage.py web" in command for command in commands)
    assert not any("manage.py worker" in command for command in commands)
    up.stop()


def test_lone_command_uses_running_database_when_up_runs(installation: Installation) -> None:
    up = installation.up("--no-worker")
    up.wait_until_running()
    database = installation.postmaster().pid

    checked = installation.run("migrate", "--check")

    assert checked.returncode == 0, checked.stderr
    assert installation.postmaster().pid == database
    assert installation.answers()
    up.stop()
