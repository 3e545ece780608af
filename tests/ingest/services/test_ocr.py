"""A worker tries OCR a minute after its start, then seldom, and soon again while it fails."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django_q.models import OrmQ

from ingest.services import ocr
from ingest.services.ocr import RETRIED_EVERY, TRIED_EVERY, queue_ocr_probe
from ingest.tasks import try_ocr
from memory.models import JobRun
from memory.services.health import check_ocr
from memory.services.probes import OCR, note_probe

BROKEN = "OCR cannot be started: its model is missing. Run make install on this host."


@pytest.fixture
def old_worker(db, monkeypatch):
    """A worker that has run for a day."""
    monkeypatch.setattr(ocr, "_started", ocr.monotonic() - 86_400)


def rung():
    return [row.task["func"] for row in OrmQ.objects.all()]


def test_ocr_is_not_tried_while_a_worker_starts(db, monkeypatch):
    monkeypatch.setattr(ocr, "_started", ocr.monotonic())

    queue_ocr_probe()

    assert rung() == []
    assert check_ocr().detail.startswith("Not tried yet")


def test_ocr_is_tried_once_by_a_worker_that_has_started(old_worker):
    for _ in range(2):
        queue_ocr_probe()

    assert rung() == ["ingest.tasks.try_ocr"]


@pytest.mark.parametrize(("error", "period"), [("", TRIED_EVERY), (BROKEN, RETRIED_EVERY)])
def test_ocr_is_tried_again_when_its_time_has_come(old_worker, error, period):
    note_probe(OCR, error)

    queue_ocr_probe()
    assert rung() == []
    with time_machine.travel(timezone.now() + period + timedelta(seconds=1)):
        queue_ocr_probe()
    assert rung() == ["ingest.tasks.try_ocr"]


def test_ocr_is_tried_again_after_a_new_start(db, monkeypatch):
    note_probe(OCR, "")
    monkeypatch.setattr(ocr, "_started", ocr.monotonic() - 61)

    with time_machine.travel(timezone.now() + timedelta(seconds=90), tick=False):
        queue_ocr_probe()

    assert rung() == ["ingest.tasks.try_ocr"]


def test_try_reads_a_picture_and_makes_the_part_ok(db, settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path

    try_ocr()

    assert (check_ocr().state, JobRun.objects.get().outcome) == ("ok", "done")
    assert "Chinese" in check_ocr().detail
    assert list((tmp_path / "tmp").iterdir()) == []


def test_failed_try_makes_the_part_degraded_until_it_works_again(db):
    note_probe(OCR, BROKEN)
    broken = check_ocr()
    note_probe(OCR, "")

    assert (broken.name, broken.state, broken.remedy) == ("ocr", "degraded", BROKEN)
    assert check_ocr().state == "ok"


def test_try_that_cannot_start_a_parser_says_so(db, settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path
    (tmp_path / "tmp").touch()

    try_ocr()

    assert "Check LONGHAND_HOME/tmp" in check_ocr().remedy
