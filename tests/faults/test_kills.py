"""Whatever is killed with SIGKILL, every document is read in the end, as if nothing had been."""

from pathlib import Path

import psutil
import pytest

from tests.dashboard.supervision.conftest import Installation, Up, wait_until
from tests.faults.client import TRY_NOW, Caller, change, passages, rows
from tests.faults.files import twelve
from tests.faults.processes import (
    MONITOR,
    PUSHER,
    Find,
    document_parsers,
    kill,
    queue_processes,
    sentinel,
    when_there,
)

pytestmark = pytest.mark.slow

SETTINGS = {"LONGHAND_LEASE_SECONDS": "3", "LONGHAND_HEARTBEAT_SECONDS": "1"}
RECOVERY_SECONDS = 120.0


def test_every_document_is_read_when_each_process_is_killed_in_turn(
    furnished: Installation, tmp_path: Path
) -> None:
    installation, files = furnished, twelve(tmp_path)
    up = started(installation)
    undisturbed = Caller(installation, "calm@example.org")
    disturbed = Caller(installation)
    expected = undisturbed.upload_all(files)
    undisturbed.wait_for(expected, seconds=60)

    ids = disturbed.upload_all(files)
    kill_parts(installation)
    up.process.kill()
    up.process.wait()
    up = started(installation)
    change(installation, TRY_NOW)  # the one whose parser was killed would wait a while
    ended = disturbed.wait_for(ids, seconds=RECOVERY_SECONDS)

    assert [(each["status"], each["reason"]) for each in ended] == [("done", None)] * len(files)
    for calm, killed in zip(expected, ids, strict=True):
        assert passages(installation, killed) == passages(installation, calm) != []
    wait_until(lambda: is_tidy(installation))
    assert up.stop() < 10.0
    assert installation.processes() == []


def started(installation: Installation) -> Up:
    up = installation.up(**SETTINGS)
    up.wait_until_running()
    return up


def kill_parts(installation: Installation) -> None:
    """One process after the other, each while a document is being read."""

    def helper(place: int) -> Find:
        return lambda: queue_processes(installation, "slow")[place]

    def parser() -> psutil.Process:
        parsers = document_parsers(installation)
        if not parsers:
            change(installation, TRY_NOW)  # what is left to read may wait for its next try
        return parsers[0]

    find: Find
    for find in (
        parser,
        helper(MONITOR),
        helper(PUSHER),
        lambda: parser().parent(),
        lambda: sentinel(installation, "slow"),
        lambda: installation.part("worker"),
        lambda: installation.part("web"),
        installation.postmaster,
    ):
        when_there(parser)
        victim = when_there(find)
        kill(victim)
        when_there(find, instead_of=victim)
    when_there(parser)


def is_tidy(installation: Installation) -> bool:
    claims = rows(installation, "SELECT 1 FROM ingest_document WHERE claim_token IS NOT NULL")
    runs = rows(installation, "SELECT kind FROM memory_jobrun WHERE finished_at IS NULL")
    scratch = list((installation.home / "tmp").iterdir())
    return not claims and not runs and not scratch
