"""Runs of dead processes are closed; those of living ones stay open."""

import os
import socket
import subprocess
import sys
from datetime import timedelta

import psutil
import pytest
from django.utils import timezone

from memory.models import JobRun
from memory.services.hosts import host_name
from memory.services.lost_runs import SILENT_FOR, close_lost_runs

HOST = host_name()


def run_of(worker: str, *, age: timedelta = timedelta()) -> JobRun:
    return JobRun.objects.create(
        kind="embed", worker=worker, started_at=timezone.now() - age, outcome="running"
    )


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_run_is_lost_when_its_process_of_this_host_has_ended(db):
    run = run_of(f"{HOST}:{dead_pid()}")

    assert close_lost_runs({HOST}) == 1

    run.refresh_from_db()
    assert (run.outcome, run.error) == ("lost", "The worker died.")
    assert run.finished_at is not None


def test_run_is_lost_when_a_younger_process_has_its_number(db):
    run = run_of(f"{HOST}:{os.getpid()}", age=timedelta(days=300))

    assert close_lost_runs({HOST}) == 1

    run.refresh_from_db()
    assert run.outcome == "lost"


def test_run_stays_open_when_its_process_lives(db):
    run_of(f"{HOST}:{os.getpid()}")

    assert close_lost_runs({HOST}) == 0


@pytest.mark.parametrize(
    ("hosts", "age", "closed"),
    [
        ({"elsewhere"}, SILENT_FOR * 2, 0),
        (set(), SILENT_FOR / 2, 0),
        (set(), SILENT_FOR * 2, 1),
    ],
)
def test_run_of_another_host_is_lost_once_the_host_was_silent_long(db, hosts, age, closed):
    run_of("elsewhere:1", age=age)

    assert close_lost_runs(hosts) == closed


def test_run_stays_open_when_its_process_may_not_be_looked_at(db, monkeypatch):
    def denied(_pid):
        raise psutil.AccessDenied

    monkeypatch.setattr("psutil.Process", denied)
    run_of(f"{HOST}:1")

    assert close_lost_runs({HOST}) == 0


def test_run_of_a_container_with_the_same_name_stays_open(db):
    run_of(f"{socket.gethostname()}-0ther000:{dead_pid()}")

    assert close_lost_runs({HOST}) == 0
