"""Every promise about documents, measured: `python -m bench.ingest [--json OUT] [--only NAME]`.

Each comparison is a ratio within one run, the median of five rounds, on a database of its own.
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.installation import Installation, temporary_installation
from bench.results import Measurement, print_table
from bench.speed import Measure, report


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table and, when asked, store it; 1 when a target is missed."""
    options = _parser().parse_args(arguments)
    measurements: list[Measurement] = []
    with temporary_installation() as installation:
        for name in options.only or list(PARTS):
            found = list(PARTS[name](installation))
            # A whole run takes a while, and whoever waits wants to see how it goes.
            print_table(found)
            measurements += found
    return int(report(measurements, options.json) > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.ingest", description="Measure how documents are read."
    )
    parser.add_argument("--json", type=Path, help="also store the results in this file")
    parser.add_argument("--only", choices=PARTS, action="append", help="measure one part")
    return parser


# The parts import late: Django's models can be loaded only once the installation is there.
def _formats(_installation: Installation) -> Iterable[Measurement]:
    from bench.facts import new_owner
    from bench.format_speed import measure_formats

    return measure_formats(new_owner("formats@example.org"))


def _pdf(_installation: Installation) -> Iterable[Measurement]:
    from bench.facts import new_owner
    from bench.parse_speed import measure_parse

    return measure_parse(new_owner("pdf@example.org"))


def _embedding(installation: Installation) -> Iterable[Measurement]:
    from bench.embedding import measure_chunks

    return measure_chunks(installation.model)


def _scans(_installation: Installation) -> Iterable[Measurement]:
    from bench.facts import new_owner
    from bench.scan_speed import measure_scans

    return measure_scans(new_owner("scans@example.org"))


def _drop(_installation: Installation) -> Iterable[Measurement]:
    from bench.drop_speed import measure_drop
    from bench.facts import new_owner

    return measure_drop(new_owner("drop@example.org"))


def _growth(_installation: Installation) -> Iterable[Measurement]:
    from bench.drop_speed import measure_growth
    from bench.facts import new_owner

    return measure_growth(new_owner("growth@example.org"))


PARTS: dict[str, Measure] = {
    "formats": _formats,
    "pdf": _pdf,
    "embedding": _embedding,
    "scans": _scans,
    "drop": _drop,
    "growth": _growth,
}

if __name__ == "__main__":
    raise SystemExit(main())
