"""Whether OCR runs: tried by a worker now and then, since one try takes seconds."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path
from time import monotonic

from django.utils import timezone

from ingest.parsers.sandbox import run_parser
from ingest.services.reading import limits, temporary_folder
from memory.domain.errors import Permanent, Retryable
from memory.services.probes import OCR, last_probe, note_probe
from memory.services.queue import SLOW, enqueue, is_waiting

TRY_OCR = "ingest.tasks.try_ocr"
PROBE = "ingest.parsers.ocr_probe"
# A start has better things to do, and one that ends soon needs no answer.
FIRST_TRY_AFTER = timedelta(seconds=60)
TRIED_EVERY = timedelta(hours=6)
RETRIED_EVERY = timedelta(minutes=2)

_started = monotonic()


def queue_ocr_probe() -> None:
    """Ring for a try of OCR after the worker's start, then seldom, and soon again while it fails.

    Side effects: at most one task at a time.
    """
    if _is_due(timedelta(seconds=monotonic() - _started)) and not is_waiting(TRY_OCR, SLOW):
        enqueue(TRY_OCR, cluster=SLOW)


def probe_ocr() -> None:
    """Have a parser read a small picture, so that everybody knows whether this host can."""
    note_probe(OCR, _failure())


def _is_due(worked_for: timedelta) -> bool:
    if worked_for < FIRST_TRY_AFTER:
        return False
    last = last_probe(OCR)
    if last is None or last.finished_at is None:
        return True
    period = RETRIED_EVERY if last.outcome == last.Outcome.FAILED else TRIED_EVERY
    return timezone.now() - last.finished_at > min(period, worked_for)


def _failure() -> str:
    try:
        events = run_parser(PROBE, Path(__file__), limits(), tmp_root=temporary_folder())
        with closing(events):
            for _ in events:
                pass
    except (Permanent, Retryable) as error:
        return str(error)
    return ""
