"""What a worker looks after on its host: left-overs of killed processes, and its parser."""

import time
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from ingest.parsers.sandbox import parse_in_child, sweep
from ingest.services.reading import limits, temporary_folder
from memory.domain.errors import Permanent, Retryable
from memory.services.probes import PARSER, note_probe, was_probed

UPLOAD_ABANDONED_SECONDS = 120.0
SPARE_SECONDS = 100.0
PROBE_EVERY = timedelta(seconds=10)
PROBE_WALL_SECONDS = 15.0
SAMPLE = Path(__file__)


def sweep_temporary_files() -> dict[str, int]:
    """Remove scratch folders of dead parsers and uploads that nobody writes any more."""
    longest = settings.LONGHAND_PARSE_LIMITS.longest_seconds + SPARE_SECONDS
    return {"folders": sweep(temporary_folder(), longest), "uploads": _sweep_uploads()}


def probe_parser() -> None:
    """Have a parser read a small text, so that everybody knows whether this host can."""
    if not was_probed(PARSER, PROBE_EVERY):
        note_probe(PARSER, _parser_failure())


def _parser_failure() -> str:
    bounds = replace(limits(), wall_seconds=PROBE_WALL_SECONDS)
    try:
        with closing(parse_in_child(SAMPLE, "txt", bounds, tmp_root=temporary_folder())) as events:
            for _ in events:
                pass
    except (Permanent, Retryable) as error:
        return str(error)
    return ""


def _sweep_uploads() -> int:
    oldest = time.time() - UPLOAD_ABANDONED_SECONDS
    stale = [file for file in temporary_folder().glob("*.upload*") if file.stat().st_mtime < oldest]
    for file in stale:
        file.unlink(missing_ok=True)
    return len(stale)
