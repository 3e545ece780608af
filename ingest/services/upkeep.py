"""What a worker looks after on its host: left-overs of killed processes, and its parser."""

import time
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

from django.conf import settings

from ingest.domain.elements import Element
from ingest.parsers import guards_probe
from ingest.parsers.process import ParserNotStarted
from ingest.parsers.sandbox import run_parser, sweep
from ingest.services.reading import limits, temporary_folder
from memory.domain.errors import Permanent, Retryable
from memory.services.probes import (
    NO_NETWORK,
    NO_SOCKETS,
    OWN_FILES,
    PARSER,
    note_probe,
    was_probed,
)

UPLOAD_ABANDONED_SECONDS = 120.0
SPARE_SECONDS = 100.0
PROBE_EVERY = timedelta(seconds=10)
PROBE_WALL_SECONDS = 15.0
PROBE = "ingest.parsers.guards_probe"
GUARDS = (NO_NETWORK, NO_SOCKETS, OWN_FILES)


def sweep_temporary_files() -> dict[str, int]:
    """Remove scratch folders of dead parsers and uploads that nobody writes any more."""
    longest = settings.LONGHAND_PARSE_LIMITS.longest_seconds + SPARE_SECONDS
    return {"folders": sweep(temporary_folder(), longest), "uploads": _sweep_uploads()}


def probe_parser() -> None:
    """Have a parser run, so that everybody knows whether it can, and what shuts it in here."""
    if was_probed(PARSER, PROBE_EVERY):
        return
    bounds = replace(limits(), wall_seconds=PROBE_WALL_SECONDS)
    found: dict[str, int] = {}
    error = ""
    try:
        with guards_probe.listening() as door:
            events = run_parser(PROBE, door, bounds, tmp_root=temporary_folder())
            with closing(events):
                told = [event.text for event in events if isinstance(event, Element)]
        found = {guard: int(guard in told) for guard in GUARDS}
    except OSError as failure:
        error = str(ParserNotStarted.because_of(failure))
    except (Permanent, Retryable) as failure:
        error = str(failure)
    note_probe(PARSER, error, found)


def _sweep_uploads() -> int:
    oldest = time.time() - UPLOAD_ABANDONED_SECONDS
    stale = [file for file in temporary_folder().glob("*.upload*") if file.stat().st_mtime < oldest]
    for file in stale:
        file.unlink(missing_ok=True)
    return len(stale)
