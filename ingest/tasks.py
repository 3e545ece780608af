"""What django-q calls: one line each, ids only."""

from ingest.services.leases import claim_next, settle
from ingest.services.ocr import probe_ocr
from ingest.services.orphans import SWEEP
from ingest.services.orphans import sweep_orphan_files as sweep
from ingest.services.reading import read_document
from ingest.services.scanning import SCAN
from ingest.services.scanning import scan_watched_folders as scan
from memory.models import within_scopes
from memory.services.jobs import run_job
from memory.services.schedules import run_alone


def read_next_document() -> None:
    """Read the document that has waited longest; nothing when none is due."""
    claim = claim_next()
    if claim is None:
        return
    with within_scopes([claim.document.scope_id]):
        run = run_job(
            "read-document",
            lambda: read_document(claim),
            owner=claim.document.scope.owner,
            subject=claim.document.pk,
            worked_in=claim.document.scope_id,
            attempt=claim.document.attempts,
        )
        if run.outcome == run.Outcome.FAILED:
            # An error that nobody foresaw has left the claim as it was.
            settle(claim, run.error)


def sweep_orphan_files() -> None:
    """Delete stored files that no document points to."""
    run_job(SWEEP, lambda: run_alone(SWEEP, sweep))


def scan_watched_folders() -> None:
    """Take what is new or changed in watched folders; each run is noted for its folder's person."""
    run_alone(SCAN, scan)


def try_ocr() -> None:
    """Find out whether text in pictures can be read here."""
    probe_ocr()
