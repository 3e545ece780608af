"""A long document shows how far it is, and stops when its owner says so."""

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.supervision.conftest import Installation, wait_until
from tests.faults.client import FINAL, Caller, passages, rows
from tests.faults.conftest import Running
from tests.faults.files import pdf
from tests.faults.processes import document_parsers

if TYPE_CHECKING:
    from datetime import datetime

Record = Callable[[str, object], None]
pytestmark = pytest.mark.slow

PAGES = 500
CANCEL_SECONDS = 3.0
# Progress is promised every two seconds; the rest is for a busy machine.
LONGEST_GAP_SECONDS = 2.5
STATE = "SELECT claim_token, attempts FROM ingest_document WHERE id = %s"
PROGRESS = """
    SELECT status, progressed_at, pages_done + passages + passages_embedded
    FROM ingest_document WHERE id = %s
"""


def test_long_document_is_canceled_in_mid_parse_and_shows_progress_to_its_end(
    running: Running, tmp_path: Path, record_property: Record
) -> None:
    installation, caller = running.installation, running.caller
    document = caller.upload("long.pdf", pdf(tmp_path, pages=PAGES, seed=3))
    wait_until(lambda: pages_done(caller, document) > 0)

    asked_at = time.monotonic()
    caller.send("POST", f"documents/{document}/cancel")
    ended = caller.wait_for([document], seconds=CANCEL_SECONDS)[0]
    took = time.monotonic() - asked_at

    assert ended["status"] == "canceled"
    assert took < CANCEL_SECONDS
    assert 0 < ended["progress"]["pages_done"] < PAGES
    assert passages(installation, document) == []
    assert rows(installation, STATE, document) == [(None, 1)]
    wait_until(lambda: not document_parsers(installation), seconds=CANCEL_SECONDS)

    caller.send("POST", f"documents/{document}/retry")
    gaps, counts = watch_to_the_end(installation, document)

    record_property("cancel_seconds", round(took, 2))
    record_property("longest_gap_seconds", round(max(gaps), 2))
    assert max(gaps) < LONGEST_GAP_SECONDS
    assert counts == sorted(counts)
    assert caller.document(document)["status"] == "done"


def pages_done(caller: Caller, document: str) -> int:
    return int(caller.document(document)["progress"]["pages_done"])


def watch_to_the_end(installation: Installation, document: str) -> tuple[list[float], list[int]]:
    """The seconds between two writes of progress, and all that is counted, as it rises."""
    times: list[datetime] = []
    counts: list[int] = []
    status = ""
    while status not in FINAL:
        ((status, at, count),) = rows(installation, PROGRESS, document)
        if status != "queued" and (not times or at != times[-1]):
            times.append(at)
            counts.append(count)
        time.sleep(0.1)
    return [(later - earlier).total_seconds() for earlier, later in pairwise(times)], counts
