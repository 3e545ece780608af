"""Every promise about speed, measured: `python -m bench.speed [--json OUT] [--only NAME]`.

Each comparison is a ratio within one run, the median of five rounds, on a database of its own.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.installation import Installation, temporary_installation
from bench.results import Measurement, print_table, write_json

FACTS = 10_000
QUERIES = 200
HTTP_QUERIES = 1_000

Measure = Callable[[Installation], Iterable[Measurement]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table and, when asked, store it; 1 when a target is missed."""
    options = _parser().parse_args(arguments)
    with temporary_installation() as installation:
        names = [options.only] if options.only else list(PARTS)
        measurements = [each for name in names for each in PARTS[name](installation)]
    return int(report(measurements, options.json) > 0)


def report(measurements: Sequence[Measurement], target: Path | None) -> int:
    """Print the table and, with a target, store it there; how many targets were missed."""
    print_table(measurements)
    if target:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_json(measurements, target)
    return sum(each.passed is False for each in measurements)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description="Measure the speed.")
    parser.add_argument("--json", type=Path, help="also store the results in this file")
    parser.add_argument("--only", choices=PARTS, help="measure one part")
    return parser


# The parts import late: Django's models can be loaded only once the installation is there.
def _embedding(installation: Installation) -> Iterable[Measurement]:
    from bench.embedding import measure

    return measure(installation.model)


def _recall(installation: Installation) -> Iterable[Measurement]:
    from bench.facts import new_owner, remember_in_bulk
    from bench.recall_speed import measure_recall
    from bench.sentences import Writer
    from bench.web_speed import measure_http

    owner, writer = new_owner("recall@example.org"), Writer()
    facts = writer.facts(FACTS)
    remember_in_bulk(owner, facts)
    queries = writer.queries(HTTP_QUERIES, facts)
    yield from measure_recall(owner, queries[:QUERIES], installation.database_url)
    yield from measure_http(owner.token, queries)


def _parse(_installation: Installation) -> Iterable[Measurement]:
    from bench.facts import new_owner
    from bench.parse_speed import measure_parse

    return measure_parse(new_owner("parse@example.org"))


def _start(_installation: Installation) -> Iterable[Measurement]:
    from bench.start_speed import measure_start

    return measure_start()


def _pages(_installation: Installation) -> Iterable[Measurement]:
    from bench.facts import new_owner
    from bench.filling import fill
    from bench.page_speed import measure_pages

    owner = new_owner("pages@example.org")
    fill(owner)
    return measure_pages(owner)


PARTS: dict[str, Measure] = {
    "embedding": _embedding,
    "recall": _recall,
    "parse": _parse,
    "start": _start,
    "pages": _pages,
}

if __name__ == "__main__":
    raise SystemExit(main())
