import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psutil
import psycopg
import pytest

from memory.db.cluster import HALF_MADE
from memory.db.errors import DatabaseFailed
from memory.db.place import Place
from memory.db.server import Server, is_running, start, wait_for_other
from tests.memory.db.conftest import FAST, own_place, server_processes

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The first start of a new home, for all that only look at it."""
    with own_place() as place:
        started = start(place, settings=FAST)
        assert started is not None
        yield started
        started.stop()


def query(place: Place, statement: str) -> str:
    with psycopg.connect(place.url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return str(row[0]) if row else ""


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_server_is_private_and_has_pgvector_when_started(server: Server) -> None:
    place = server.place

    version = query(
        place, "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    )

    assert tuple(map(int, version.split(".")[:2])) >= (0, 8)
    assert query(place, "SHOW listen_addresses") == ""
    assert query(place, "SHOW jit") == "off"
    assert query(place, "SHOW timezone") == "UTC"
    for folder in (place.base, place.data, place.sockets):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert (place.sockets / ".s.PGSQL.5432").stat().st_mode & 0o777 == 0o700


def test_server_folds_and_splits_words_when_text_is_not_ascii(server: Server) -> None:
    text = "ÉCOLE “hello” 東京。大阪"

    words = query(server.place, f"SELECT tsvector_to_array(to_tsvector('simple', '{text}'))")

    assert query(server.place, "SELECT lower('ÄÖÉ')") == "äöé"
    assert set(words.strip("[]").replace("'", "").split(", ")) == {"hello", "école", "大阪", "東京"}


def test_server_leaves_no_process_and_nobody_to_wait_for_when_stopped(used_place: Place) -> None:
    server = start(used_place, settings=FAST)
    assert server is not None
    assert server_processes(used_place)

    server.stop()

    assert server_processes(used_place) == []
    assert not is_running(used_place)
    began = time.monotonic()
    assert not wait_for_other(used_place, 30.0)
    assert time.monotonic() - began < 5.0


def test_start_is_refused_when_another_process_owns_server(server: Server) -> None:
    assert start(server.place) is None
    assert wait_for_other(server.place, 5.0)


def test_data_survives_when_server_is_killed(used_place: Place) -> None:
    server = start(used_place, settings=FAST)
    assert server is not None
    query(used_place, "CREATE TABLE kept AS SELECT 42 AS answer")
    query(used_place, "SELECT 1")
    for process in server_processes(used_place):
        with suppress(psutil.NoSuchProcess):  # a backend that was just ending
            process.kill()
    server.guarded.wait(5.0)
    server.guarded.close()

    again = start(used_place, settings=FAST)

    assert again is not None
    assert query(used_place, "SELECT answer FROM kept") == "42"
    again.stop()


def test_start_ends_orphan_when_guard_was_killed_with_its_server_stopped(used_place: Place) -> None:
    server = start(used_place, settings=FAST)
    assert server is not None
    postmaster = int((used_place.data / "postmaster.pid").read_text().split()[0])
    # A stopped process does not act on the signal that its parent's death sends.
    os.kill(postmaster, signal.SIGSTOP)
    server.guarded.process.kill()
    server.guarded.wait(5.0)
    os.kill(postmaster, signal.SIGCONT)

    again = start(used_place, settings=FAST)

    assert again is not None
    assert query(used_place, "SELECT 1") == "1"
    again.stop()
    assert server_processes(used_place) == []


def test_start_forgets_pid_file_when_number_belongs_to_stranger(used_place: Place) -> None:
    server = start(used_place, settings=FAST)
    assert server is not None
    kept = (used_place.data / "postmaster.pid").read_text().splitlines()
    server.stop()
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    pid_file = used_place.data / "postmaster.pid"
    pid_file.write_text("\n".join([str(stranger.pid), *kept[1:]]) + "\n")

    again = start(used_place, settings=FAST)

    assert again is not None
    assert stranger.poll() is None
    again.stop()
    stranger.kill()
    stranger.wait()


def test_start_makes_data_when_earlier_attempt_was_killed_halfway(used_place: Place) -> None:
    used_place.data.rename(used_place.base / HALF_MADE)
    (used_place.base / HALF_MADE / "PG_VERSION").unlink()

    again = start(used_place, settings=FAST)

    assert again is not None
    assert query(used_place, "SELECT 1") == "1"
    assert not (used_place.base / HALF_MADE).exists()
    again.stop()


def test_start_names_reason_when_data_is_damaged(used_place: Place) -> None:
    (used_place.data / "global" / "pg_control").write_bytes(b"")
    (used_place.logs / "of_an_earlier_run.log").write_text("FATAL:  terminating connection\n")

    with pytest.raises(DatabaseFailed, match="pg_control"):
        start(used_place, settings=FAST)

    assert server_processes(used_place) == []


def test_start_changes_no_mode_when_folders_exist(used_place: Place) -> None:
    parent = used_place.base.parent
    before = {folder: folder.stat().st_mode for folder in (parent, *parent.parents)}

    server = start(used_place, settings=FAST)

    assert server is not None
    server.stop()
    assert {folder: folder.stat().st_mode for folder in before} == before
