"""The processes of an installation that the drills kill."""

import time
from collections.abc import Callable
from contextlib import suppress

import psutil
import psycopg

from tests.dashboard.supervision.conftest import Installation, command_of, wait_until
from tests.faults.client import rows

Find = Callable[[], psutil.Process]
WORKER, MONITOR, PUSHER = range(3)
CHILD_PROGRAMS = ("ingest/parsers/child.py", "ingest/parsers/nursery.py")


def parsers(installation: Installation) -> list[psutil.Process]:
    """The child programs that read a document now: they stand in their scratch folder."""
    scratch = str(installation.home / "tmp")
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            is_child = any(word.endswith(CHILD_PROGRAMS) for word in process.cmdline())
            if is_child and process.cwd().startswith(scratch):
                found.append(process)
    return found


def document_parsers(installation: Installation, file: str = "") -> list[psutil.Process]:
    """Those that read a stored file, or this one, and not the worker's own sample."""
    name = str(installation.home / "files" / file)
    return [process for process in parsers(installation) if _reads(process, name)]


def parsers_of(installation: Installation, document: str) -> list[psutil.Process]:
    """Those that read this document and no other one."""
    file = rows(installation, "SELECT file FROM ingest_document WHERE id = %s", document)[0][0]
    return document_parsers(installation, file)


def _reads(process: psutil.Process, name: str) -> bool:
    """By the order of a child of its own, and by the open file of one that was split off."""
    with suppress(psutil.Error):
        return name in " ".join(command_of(process)) or any(
            opened.path.startswith(name) for opened in process.open_files()
        )
    return False


def sentinel(installation: Installation, queue: str) -> psutil.Process:
    """The process that started all others of a queue."""
    found = []
    for process in installation.processes():
        with suppress(psutil.Error):
            is_queue = command_of(process)[2:3] == ["qcluster"]
            if is_queue and process.environ().get("Q_CLUSTER_NAME") == queue:
                found.append(process)
    # The command itself, then the sentinel, then the worker, the monitor and the pusher.
    found.sort(key=lambda process: process.create_time())
    return next(p for p in found if p.ppid() == found[0].pid)


def queue_processes(installation: Installation, queue: str) -> list[psutil.Process]:
    """Workers, monitor and pusher of a queue: in this order only while none was replaced."""
    children = [p for p in sentinel(installation, queue).children() if "qcluster" in command_of(p)]
    return sorted(children, key=lambda process: process.pid)


def worker_that_read(installation: Installation, document: str) -> psutil.Process:
    """The process that read the document last."""
    query = "SELECT worker FROM memory_jobrun WHERE subject = %s ORDER BY started_at DESC LIMIT 1"
    ((worker,),) = rows(installation, query, document)
    return psutil.Process(int(worker.rpartition(":")[2]))


def when_there(
    find: Find, *, instead_of: psutil.Process | None = None, seconds: float = 30.0
) -> psutil.Process:
    """The process that is looked for, once it is there, or another one than that."""
    deadline = time.monotonic() + seconds
    while True:
        with suppress(psutil.Error, psycopg.Error, LookupError, ValueError, OSError, StopIteration):
            if (found := find()) != instead_of:
                return found
        assert time.monotonic() < deadline, "no such process in time"
        time.sleep(0.1)


def kill(process: psutil.Process) -> None:
    process.kill()
    wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
