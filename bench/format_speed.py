"""How fast files of many formats become stored passages, beside `unstructured` alone.

Ours counts from the bytes of an upload to its committed passages, through the services that a
worker calls: told apart, hashed, stored, read by a child program of its own, divided, written to
the database with the words that are searched. Theirs is a process that has everything imported and
is asked for the elements of a file on disk. A worker keeps a process with its parsers imported as
well, so ours is measured once that one is there; its start is reported apart.
"""

import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import nan
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.bare import bare
from bench.facts import Owner
from bench.generated_documents import MAKERS
from bench.parse_speed import require_searchable, stored
from bench.results import Measurement, at_least
from bench.timing import ROUNDS, median_ratio
from ingest.parsers.warm_starts import has_nursery
from ingest.services.documents import delete_document
from ingest.services.reading import parse_document
from memory.models import Principal, acting_as

FILES = 2
FIRST_SEED = 100
FLOOR = 0.85
# What `unstructured` cannot read without, and Longhand can.
NEEDS = {"csv": "pandas"}
FEWEST_PASSAGES = 20


def measure_formats(owner: Owner) -> list[Measurement]:
    """Several files of each format, in turns, the median of five rounds."""
    with (
        acting_as(owner.principal) as principal,
        bare("bench.bare_partition") as ask,
        tempfile.TemporaryDirectory() as name,
    ):
        took = _warmed_up(principal, Path(name))
        found = [Measurement("until children start warm", took, "s")]
        for kind in MAKERS:
            found += _of_kind(principal, kind, Path(name), ask)
    return found


def _of_kind(
    principal: Principal, kind: str, folder: Path, ask: Callable[[Path], float]
) -> Iterator[Measurement]:
    size = len(MAKERS[kind](FIRST_SEED))
    lacks = NEEDS.get(kind, "") if find_spec(NEEDS.get(kind, "spacy")) is None else ""
    ask = (lambda _: nan) if lacks else ask
    times = [_round(principal, kind, folder, ask, turn) for turn in range(ROUNDS + 1)][1:]
    ours, theirs = (median(column) / FILES for column in zip(*times, strict=True))
    yield Measurement(f"{kind} of {size // 1_000} kB to passages", ours * 1_000, "ms")
    if lacks:
        print(
            f"{kind} is not compared: unstructured reads it with {lacks}, which is not installed."
        )
        return
    ratio = median_ratio([(other, own) for own, other in times])
    yield Measurement(f"{kind}, unstructured.partition", theirs * 1_000, "ms")
    yield at_least(f"{kind} speed, ours to unstructured", ratio, "x", floor=FLOOR)


def _round(
    principal: Principal, kind: str, folder: Path, ask: Callable[[Path], float], turn: int
) -> tuple[float, float]:
    seeds = [FIRST_SEED + turn * FILES + place for place in range(FILES)]
    paths = [folder / f"{seed}.{kind}" for seed in seeds]
    for path, seed in zip(paths, seeds, strict=True):
        path.write_bytes(MAKERS[kind](seed))
    theirs = sum(map(ask, paths))
    return sum(_read(principal, path) for path in paths), theirs


def _read(principal: Principal, path: Path) -> float:
    """The seconds from the bytes to committed passages."""
    started = perf_counter()
    claim = stored(principal, path)
    parse_document(claim)
    took = perf_counter() - started
    require_searchable(claim.document, FEWEST_PASSAGES)
    delete_document(principal=principal, document_id=claim.document.pk)
    return took


def _warmed_up(principal: Principal, folder: Path) -> float:
    """The seconds until children come from a process that has the parsers imported."""
    started = perf_counter()
    while not has_nursery():
        path = folder / f"{perf_counter()}.md"
        path.write_bytes(f"# Note\n\nWritten at {path.name}.\n".encode())
        claim = stored(principal, path)
        parse_document(claim)
        delete_document(principal=principal, document_id=claim.document.pk)
    return perf_counter() - started
