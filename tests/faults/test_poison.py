"""A document that kills whoever reads it ends with its reason, and holds up nobody."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from tests.dashboard.supervision.conftest import Installation, wait_until
from tests.faults.client import TRY_NOW, change, passages, rows
from tests.faults.conftest import Running, running_installation
from tests.faults.files import pdf
from tests.faults.processes import parsers_of

pytestmark = pytest.mark.slow

HEALTHY_SECONDS = 30.0
STATE = "SELECT attempts, retry_at > now(), last_error FROM ingest_document WHERE id = %s"


def test_document_that_kills_its_parser_fails_with_the_signal_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    with running_installation(LONGHAND_HEARTBEAT_SECONDS="1") as running:
        installation, caller = running.installation, running.caller
        poison = caller.upload("poison.pdf", pdf(tmp_path, pages=300, seed=1))
        with killing(lambda: parsers_of(installation, poison)):
            uploaded_at = time.monotonic()
            healthy = caller.upload("healthy.md", b"# Key\n\nIt hangs behind the door.\n")
            ended = caller.wait_for([healthy], seconds=HEALTHY_SECONDS)
            took = time.monotonic() - uploaded_at
            for attempt in (1, 2):
                wait_until(partial(is_waiting_after, installation, poison, attempt))
                change(installation, TRY_NOW)
            failed = caller.wait_for([poison], seconds=30)[0]

        assert ended[0]["status"] == "done"
        assert took < HEALTHY_SECONDS
        assert failed["status"] == "failed"
        assert failed["reason"] == "The parser was killed (SIGKILL). Tried 3 times."
        assert passages(installation, poison) == []


def test_document_that_kills_its_worker_each_time_fails_after_five_tries(
    running: Running, tmp_path: Path
) -> None:
    installation, caller = running.installation, running.caller
    poison = caller.upload("poison.pdf", pdf(tmp_path, pages=300, seed=2))
    with killing(lambda: workers_that_read(installation, poison)):
        healthy = caller.upload("healthy.md", b"# Nail\n\nThe key hangs on it.\n")
        ended = caller.wait_for([healthy, poison], seconds=90)
    runs = "SELECT outcome FROM memory_jobrun WHERE subject = %s"

    assert [each["status"] for each in ended] == ["done", "failed"]
    assert ended[1]["reason"] == "Its worker was killed 5 times."
    assert rows(installation, runs, poison) == [("lost",)] * 5
    assert passages(installation, poison) == []


def is_waiting_after(installation: Installation, document_id: str, attempt: int) -> bool:
    return rows(installation, STATE, document_id) == [
        (attempt, True, "The parser was killed (SIGKILL).")
    ]


def workers_that_read(installation: Installation, document_id: str) -> list[psutil.Process]:
    return [parser.parent() for parser in parsers_of(installation, document_id)]


@contextmanager
def killing(find: Callable[[], list[psutil.Process]]) -> Iterator[None]:
    """Kills whatever is found, as soon as it is, until the end of the block."""
    stop = threading.Event()

    def kill_all() -> None:
        while not stop.wait(0.1):
            with suppress(psutil.Error, IndexError, StopIteration):
                for process in find():
                    process.kill()

    killer = threading.Thread(target=kill_all, daemon=True)
    killer.start()
    try:
        yield
    finally:
        stop.set()
        killer.join()
