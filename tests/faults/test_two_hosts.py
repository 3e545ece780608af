"""Web process and workers on hosts of their own, with one database server and one file folder."""

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest

from memory.db.place import Place, place_of
from memory.db.server import start
from memory.services.workers import declared_schedules
from tests.dashboard.supervision.conftest import Installation, Up, free_port, wait_until
from tests.faults.client import Caller, rows
from tests.faults.files import pdf
from tests.redis_server import redis_server

pytestmark = pytest.mark.slow

# A host of its own as far as processes go: all of them end with the first.
HOST = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
SETTINGS = {
    "LONGHAND_SECRET_KEY": "the same key on every host",
    "LONGHAND_LEASE_SECONDS": "2",
    "LONGHAND_HEARTBEAT_SECONDS": "1",
}
NOTE = "Number {number} of {broker} is repainted in May.\n"
DOCUMENTS = 20
SECONDS = 90.0
ACCOUNT = """
from memory.services.accounts import create_account, create_token
from memory.services.workers import start_up
start_up()
print(create_token(create_account("keeper@example.org")))
"""
UNPRIVILEGED = """
    CREATE EXTENSION vector;
    CREATE ROLE keeper LOGIN PASSWORD 'lamp oil';
    ALTER DATABASE longhand OWNER TO keeper;
    ALTER SCHEMA public OWNER TO keeper;
"""
SLOT = "UPDATE django_q_schedule SET next_run = now() RETURNING now()"
OPEN_RUN = """
    SELECT subject FROM memory_jobrun
    WHERE finished_at IS NULL AND kind = 'read-document' AND split_part(worker, ':', 1) = %s
"""
DONE_RUNS = """
    SELECT subject, count(*), bool_or(split_part(worker, ':', 1) = %s) FROM memory_jobrun
    WHERE outcome = 'done' AND kind = 'read-document' AND started_at > %s GROUP BY subject
"""
SCHEDULED = 'SELECT "group", count(*) FROM django_q_task WHERE started > %s GROUP BY "group"'


@dataclass(frozen=True, slots=True)
class Hosts:
    """Two homes of one installation, and the token of its only account."""

    first: Installation
    second: Installation
    token: str


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    folder = Path(tempfile.mkdtemp(prefix="longhand-hosts-"))
    folder.chmod(0o755)  # as root, the database's own user has to reach its part
    try:
        with another_server(folder) as url:
            settings = {**SETTINGS, "DATABASE_URL": url, "LONGHAND_FILES": str(folder / "files")}
            first = Installation(folder / "first", **settings)
            second = Installation(folder / "second", **settings)
            refused = first.run("worker")
            migrated = first.run("migrate", "--verbosity=0")
            made = first.run("shell", "--verbosity=0", "-c", ACCOUNT)

            assert refused.returncode == 2
            assert refused.stderr.count("\n") == 1
            assert "Run python manage.py migrate" in refused.stderr
            assert (migrated.returncode, made.returncode) == (0, 0), migrated.stderr + made.stderr
            yield Hosts(first, second, made.stdout.split()[-1])
    finally:
        shutil.rmtree(folder)


@contextmanager
def another_server(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL that is reached by TCP and password, as one elsewhere is."""
    place = place_of(folder / "server", root_folder=folder / "database")
    place = replace(place, port=free_port())
    server = start(place, settings={"listen_addresses": "127.0.0.1", "fsync": "off"})
    assert server is not None
    try:
        require_passwords(place)
        yield f"postgres://keeper:lamp%20oil@127.0.0.1:{place.port}/longhand"
    finally:
        server.stop()


def require_passwords(place: Place) -> None:
    rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
    (place.data / "pg_hba.conf").write_text(rules)
    with psycopg.connect(place.url, autocommit=True) as connection:
        connection.execute(UNPRIVILEGED)
        connection.execute("SELECT pg_reload_conf()")


@pytest.mark.parametrize("broker", ["the database", "Redis"])
def test_two_hosts_do_everything_once_and_one_goes_on_when_the_other_dies(
    hosts: Hosts, broker: str, tmp_path: Path
) -> None:
    if subprocess.run([*HOST, "true"], capture_output=True, check=False).returncode:
        pytest.skip("the kernel gives no process namespaces here, so nothing can be another host")
    with ExitStack() as stack:
        chosen = {}
        reports = {f"{n}.pdf": pdf(tmp_path, pages=60, seed=n) for n in seeds(broker)}
        if broker == "Redis":
            chosen["LONGHAND_REDIS_URL"] = stack.enter_context(redis_server(tmp_path))
        stack.callback(hosts.first.clean)
        stack.callback(hosts.second.clean)
        ((began,),) = rows(hosts.first, SLOT)[:1]
        web = hosts.first.start("web", **chosen)
        worker = hosts.first.start("worker", **chosen)
        doomed = hosts.second.start("worker", "--name", "doomed", within=HOST, **chosen)
        wait_until(hosts.first.answers, seconds=SECONDS)
        caller = Caller(hosts.first, token=hosts.token)
        notes = caller.upload_all(
            {
                f"{n}.txt": NOTE.format(number=n, broker=broker).encode()
                for n in range(DOCUMENTS - 2)
            }
        )
        long = caller.upload_all(reports)
        taken = when_reading(hosts, long)
        doomed.process.kill()
        ended = caller.wait_for([*long, *notes], seconds=SECONDS)

        own = host_of(hosts, doomed=False)
        done = {str(subject): (count, is_own) for subject, count, is_own in runs(hosts, own, began)}
        assert {each["status"] for each in ended} == {"done"}
        assert {count for count, _ in done.values()} == {1}
        assert set(done) == {*long, *notes}
        assert done[taken] == (1, True)
        assert {is_own for _, is_own in done.values()} == {True, False}
        wait_until(lambda: slots(hosts, began) == {each.name: 1 for each in declared_schedules()})
        stop(worker, web)


def seeds(broker: str) -> tuple[int, int]:
    return (71, 72) if broker == "Redis" else (73, 74)


def when_reading(hosts: Hosts, documents: list[str]) -> str:
    """The long document that the doomed host reads, once it does and has ended a short one."""
    found: list[str] = []

    def is_reading() -> bool:
        subjects = [str(row[0]) for row in rows(hosts.first, OPEN_RUN, host_of(hosts, doomed=True))]
        found[:] = [each for each in subjects if each in documents]
        return bool(found)

    wait_until(is_reading, seconds=SECONDS)
    return found[0]


def host_of(hosts: Hosts, *, doomed: bool) -> str:
    query = "SELECT host FROM memory_workerbeat WHERE (name = 'doomed') = %s"
    return next((str(row[0]) for row in rows(hosts.first, query, doomed)), "")


def runs(hosts: Hosts, own: str, began: object) -> list[tuple[object, ...]]:
    return rows(hosts.first, DONE_RUNS, own, began)


def slots(hosts: Hosts, began: object) -> dict[str, int]:
    """How often each schedule ran since then."""
    return {str(name): int(count) for name, count in rows(hosts.first, SCHEDULED, began) if name}


def stop(*parts: Up) -> None:
    for part in parts:
        part.process.terminate()
    for part in parts:
        # uvicorn ends by the signal that asked it to.
        assert part.process.wait(15) in {0, -signal.SIGTERM}
