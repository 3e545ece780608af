"""What a worker looks after on its host."""

import os
import subprocess
import sys
import time

import pytest

from ingest.parsers import guards_probe
from ingest.parsers.process import own_prefix
from ingest.services.upkeep import UPLOAD_ABANDONED_SECONDS, probe_parser, sweep_temporary_files
from memory.models import JobRun
from memory.services.health import GUARDS_UNTRIED, check_guards, check_parser


@pytest.fixture
def scratch(settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path
    folder = tmp_path / "tmp"
    folder.mkdir()
    return folder


def test_folder_is_swept_at_once_when_its_parent_is_dead_and_stays_while_it_lives(scratch):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    dead = scratch / f"{own_prefix()}{process.pid}-abc"
    alive = scratch / f"{own_prefix()}{os.getpid()}-abc"
    elsewhere = scratch / f"longhand-parse-elsewhere-{process.pid}-abc"
    for folder in (dead, alive, elsewhere):
        folder.mkdir()

    assert sweep_temporary_files() == {"folders": 1, "uploads": 0}
    assert sorted(scratch.iterdir()) == sorted([alive, elsewhere])


def test_half_an_upload_is_swept_when_nobody_wrote_to_it_for_long(scratch):
    old, young = scratch / "tmpa.upload.pdf", scratch / "tmpb.upload.pdf"
    for file in (old, young):
        file.touch()
    long_ago = time.time() - 2 * UPLOAD_ABANDONED_SECONDS
    os.utime(old, (long_ago, long_ago))

    assert sweep_temporary_files() == {"folders": 0, "uploads": 1}
    assert list(scratch.iterdir()) == [young]


def test_parser_is_found_to_work_and_leaves_nothing(db, scratch):
    probe_parser()

    assert check_parser().state == "ok"
    assert JobRun.objects.get().outcome == "done"
    assert list(scratch.iterdir()) == []


def test_parser_is_found_not_to_start_when_its_folder_cannot_be_used(db, scratch):
    scratch.rmdir()
    scratch.touch()

    probe_parser()

    part = check_parser()
    assert part.state == "degraded"
    assert "Check LONGHAND_HOME/tmp" in part.remedy


def test_what_shuts_a_parser_in_is_found_out_by_trying_and_told(db, scratch):
    assert check_guards().detail == GUARDS_UNTRIED

    probe_parser()

    found = JobRun.objects.get().counts
    assert set(found) == {
        guards_probe.NO_NETWORK, guards_probe.NO_SOCKETS, guards_probe.OWN_FILES
    }  # fmt: skip
    own = bool(found[guards_probe.NO_NETWORK])
    is_open = own and not found[guards_probe.NO_SOCKETS]
    assert ("can reach sockets" in check_guards().detail) is is_open
    assert ("own network namespace" in check_guards().detail) is own
    assert ("refused in Python only" in check_guards().detail) is not own


def test_parser_is_not_tried_twice_in_a_row(db, scratch):
    probe_parser()
    at = JobRun.objects.get().finished_at

    probe_parser()

    assert JobRun.objects.get().finished_at == at
