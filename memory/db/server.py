"""The embedded PostgreSQL server of one home: started, waited for, stopped."""

import fcntl
import os
import signal
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress

import psutil
import psycopg
from psycopg import pq, sql

from memory.db.cluster import last_complaint, prepare, private_folder
from memory.db.errors import DatabaseFailed
from memory.db.guarded import Command, Guarded
from memory.db.place import DATABASE, Place
from memory.db.programs import Owner, owner_of, programs_for

READY_SECONDS = 120.0
STOP_SECONDS = 3.0
ORPHAN_SECONDS = 10.0
POLL_SECONDS = 0.05


class Server:
    """A running server that this process owns and will stop."""

    def __init__(self, place: Place, guarded: Guarded) -> None:
        self.place = place
        self.guarded = guarded

    def stop(self) -> None:
        """End all sessions and the server, within a few seconds."""
        self.guarded.ask_to_stop()
        self.guarded.wait(STOP_SECONDS)
        self.guarded.close()

    def stop_when_unused(self, seconds: float) -> None:
        """Let other commands finish for at most `seconds`, then stop."""
        pid = _postmaster_pid(self.place)
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
            self.guarded.wait(seconds)
        self.stop()


def is_running(place: Place) -> bool:
    """Whether a server answers for this home."""
    return pq.PGconn.ping(_conninfo(place, "postgres").encode()) == pq.Ping.OK


def start(place: Place, *, settings: Mapping[str, str] | None = None) -> Server | None:
    """A server that accepts connections, or None when another process owns it.

    Raises: DatabaseFailed with the reason, OSError when a folder cannot be made.
    """
    owner = owner_of(place)
    if place.shared is not None:
        place.shared.mkdir(parents=True, exist_ok=True, mode=0o755)
    private_folder(place.base, owner)
    lock = _take_lock(place)
    if lock is None:
        return None
    try:
        server = _launch(place, settings or {}, owner=owner, lock=lock)
    finally:
        # The guard keeps the lock from here on, until the last server process has ended.
        os.close(lock)
    with ExitStack() as unless_usable:
        unless_usable.callback(server.stop)
        _wait_until_ready(server)
        _create_database(place)
        unless_usable.pop_all()
    return server


def _launch(place: Place, settings: Mapping[str, str], *, owner: Owner | None, lock: int) -> Server:
    programs = programs_for(place, owner)
    prepare(place, programs, owner)
    _end_orphans(place)
    with place.log.open("wb") as output:
        command = Command(
            arguments=[str(programs / "postgres"), *_arguments(place, settings)],
            stop="postgres",
            grace_seconds=STOP_SECONDS - 0.5,
            owner=owner,
            environment=_environment(),
            folder=place.data,
            output=output,
            kept_open=[lock],
        )
        return Server(place, Guarded(command))


def wait_for_other(place: Place, seconds: float = READY_SECONDS) -> bool:
    """Whether the server that another process is starting answers within `seconds`.

    Side effects: none; returns early when nobody owns the server any more.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_running(place):
            return True
        lock = _take_lock(place)
        if lock is not None:
            os.close(lock)
            return False
        time.sleep(POLL_SECONDS)
    return False


def _take_lock(place: Place) -> int | None:
    lock = os.open(place.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _arguments(place: Place, settings: Mapping[str, str]) -> list[str]:
    chosen = {"unix_socket_directories": str(place.sockets), "port": str(place.port), **settings}
    options = [f"--{name}={value}" for name, value in chosen.items()]
    return ["-D", str(place.data), *options]


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _end_orphans(place: Place) -> None:
    """End a server that outlived its guard, and forget one that is gone.

    Only for the holder of the lock: nobody else can be starting a server here.
    """
    pid = _postmaster_pid(place)
    if pid is not None:
        _end_processes(place, pid)
    # The number in them may belong to a stranger by now, or to a dead process that nobody has
    # waited for; PostgreSQL would take either for a running server.
    (place.data / "postmaster.pid").unlink(missing_ok=True)
    (place.sockets / f".s.PGSQL.{place.port}.lock").unlink(missing_ok=True)


def _end_processes(place: Place, postmaster: int) -> None:
    found = [p for p in psutil.process_iter(["cwd"]) if p.info["cwd"] == str(place.data)]
    for process in found:
        if process.pid == postmaster:
            process.send_signal(signal.SIGINT)
    _, alive = psutil.wait_procs(found, ORPHAN_SECONDS)
    for process in alive:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, ORPHAN_SECONDS)


def _postmaster_pid(place: Place) -> int | None:
    try:
        return int((place.data / "postmaster.pid").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return None


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not is_running(server.place):
        if server.guarded.has_ended():
            raise DatabaseFailed(f"The database did not start: {_complaint(server.place)}")
        if time.monotonic() > deadline:
            raise DatabaseFailed(
                f"The database is not ready after {READY_SECONDS:g} s. See {server.place.logs}."
            )
        time.sleep(POLL_SECONDS)


def _complaint(place: Place) -> str:
    logs = sorted(place.logs.glob("*.log"), key=lambda log: log.stat().st_mtime)
    # The server's own log begins with earlier runs, so what this start printed comes last.
    texts = [log.read_text(errors="replace") for log in [*logs[-1:], place.log]]
    return last_complaint("\n".join(texts))


def _create_database(place: Place) -> None:
    with psycopg.connect(_conninfo(place, "postgres"), autocommit=True) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
        if found.fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _conninfo(place: Place, database: str) -> str:
    return psycopg.conninfo.make_conninfo(
        host=str(place.sockets), port=place.port, user=DATABASE, dbname=database, connect_timeout=5
    )
