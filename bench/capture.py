"""Measure the Perceptor on a labelled set: `python -m bench.capture FILE [--lang en] [--json OUT]`.

The set is no part of the project. FILE may be left out where LONGHAND_CASES names the folder of
cases: the set is then `../bench/capture_dev.jsonl` beside it.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict

from memory.domain.perceptor import Perception, SignalKind, perceive

_REPEATS = 5
_PRECEDENCE = [kind.value for kind in SignalKind]
_NO_SIGNAL = "none"


class _NoiseKind(TypedDict, total=False):
    noise_kind: str


class Case(_NoiseKind):
    """One labelled message."""

    id: str
    lang: str
    dimension: str
    text: str
    type: str | None
    also_ok: list[str]
    signal: str
    signal_also_ok: list[str]
    importance_min: int
    importance_max: int
    should_store: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the Perceptor made of one case, and how long it took.

    Units: milliseconds.
    """

    case: Case
    perception: Perception
    took_ms: float

    @property
    def is_stored(self) -> bool:
        """Whether any record came of it."""
        return bool(self.perception.records)

    @property
    def kinds(self) -> set[str]:
        """The kinds of its records."""
        return {record.kind.value for record in self.perception.records}

    @property
    def signal(self) -> str:
        """The weightiest signal, or `none`."""
        found = {signal.kind.value for signal in self.perception.signals}
        return next((kind for kind in _PRECEDENCE if kind in found), _NO_SIGNAL)

    @property
    def is_in_band(self) -> bool:
        """Whether a record has an acceptable importance."""
        low, high = self.case["importance_min"], self.case["importance_max"]
        return any(low <= record.importance <= high for record in self.perception.records)


@dataclass(frozen=True, slots=True)
class Report:
    """The measures of one language; shares are 0 to 1."""

    language: str
    storable: int
    noise: int
    recall: float
    recall_by_dimension: dict[str, float]
    false_capture: float
    stored_noise: dict[str, int]
    type_strict: float
    type_lenient: float
    type_lenient_by_dimension: dict[str, float]
    type_macro_f1: float
    signal_strict: float
    signal_lenient: float
    importance_in_band: float
    importance_values: int
    median_ms: float
    p95_ms: float


def load_cases(path: Path) -> list[Case]:
    """The cases of a JSON Lines file."""
    lines = path.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def run_case(case: Case) -> Outcome:
    """The Perceptor's answer to one case, timed as the median of five calls."""
    times: list[float] = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        perception = perceive(case["text"])
        times.append((time.perf_counter() - started) * 1000)
    return Outcome(case, perception, statistics.median(times))


def measure(language: str, outcomes: Sequence[Outcome]) -> Report:
    """The measures over all outcomes of one language; a case with no record counts as wrong."""
    storable = [outcome for outcome in outcomes if outcome.case["should_store"]]
    noise = [outcome for outcome in outcomes if not outcome.case["should_store"]]
    times = sorted(outcome.took_ms for outcome in outcomes)
    values = {record.importance for outcome in storable for record in outcome.perception.records}
    return Report(
        language=language,
        storable=len(storable),
        noise=len(noise),
        recall=_share(storable, _is_stored),
        recall_by_dimension=_by_dimension(storable, _is_stored),
        false_capture=_share(noise, _is_stored),
        stored_noise=_stored_by_kind(noise),
        type_strict=_share(storable, _is_strict_type),
        type_lenient=_share(storable, _is_lenient_type),
        type_lenient_by_dimension=_by_dimension(storable, _is_lenient_type),
        type_macro_f1=_macro_f1(storable),
        signal_strict=_share(storable, lambda o: o.signal == o.case["signal"]),
        signal_lenient=_share(storable, _is_lenient_signal),
        importance_in_band=_share(storable, lambda o: o.is_in_band),
        importance_values=len(values),
        median_ms=round(statistics.median(times), 3),
        p95_ms=round(times[min(len(times) - 1, int(0.95 * len(times)))], 3),
    )


def print_report(report: Report) -> None:
    """Write the measures for a person to read."""
    print(f"[{report.language}] {report.storable} storable, {report.noise} noise")
    print(f"  recall          {report.recall:6.1%}   {_shares(report.recall_by_dimension)}")
    print(f"  false capture   {report.false_capture:6.1%}   {report.stored_noise}")
    print(f"  secrets stored  {report.stored_noise.get('secret', 0)}")
    print(f"  type strict     {report.type_strict:6.1%}   macro-F1 {report.type_macro_f1:.2f}")
    print(
        f"  type lenient    {report.type_lenient:6.1%}   "
        f"{_shares(report.type_lenient_by_dimension)}"
    )
    print(f"  signal          {report.signal_strict:6.1%}   lenient {report.signal_lenient:.1%}")
    band = f"{report.importance_in_band:6.1%}   {report.importance_values} distinct values"
    print(f"  importance      {band}")
    print(f"  latency ms      median {report.median_ms}, p95 {report.p95_ms}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when it ran, 2 when there is no set to run on."""
    options = _parser().parse_args(arguments)
    path = options.file or _default_set()
    if path is None or not path.is_file():
        print("No set: name a JSON Lines file, or set LONGHAND_CASES.", file=sys.stderr)
        return 2
    cases = load_cases(path)
    languages = [options.lang] if options.lang else sorted({case["lang"] for case in cases})
    perceive("Warm up: the patterns are compiled at first use.")
    reports = []
    for language in languages:
        outcomes = [run_case(case) for case in cases if case["lang"] == language]
        if not outcomes:
            print(f"No case has the language {language!r}.", file=sys.stderr)
            return 2
        reports.append(measure(language, outcomes))
        print_report(reports[-1])
        if options.misses:
            _print_misses(outcomes)
    if options.json:
        options.json.write_text(json.dumps([asdict(r) for r in reports], indent=1), "utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench.capture", description="Measure capture by rule.")
    parser.add_argument("file", nargs="?", type=Path, help="labelled messages, JSON Lines")
    parser.add_argument("--lang", help="one language only")
    parser.add_argument("--json", type=Path, help="write the measures to this file")
    parser.add_argument("--misses", action="store_true", help="list what went wrong")
    return parser


def _default_set() -> Path | None:
    folder = os.environ.get("LONGHAND_CASES")
    return Path(folder).parent / "bench" / "capture_dev.jsonl" if folder else None


def _is_stored(outcome: Outcome) -> bool:
    return outcome.is_stored


def _is_strict_type(outcome: Outcome) -> bool:
    return outcome.case["type"] in outcome.kinds


def _is_lenient_type(outcome: Outcome) -> bool:
    return _is_strict_type(outcome) or bool(outcome.kinds & set(outcome.case["also_ok"]))


def _is_lenient_signal(outcome: Outcome) -> bool:
    return outcome.signal in (outcome.case["signal"], *outcome.case["signal_also_ok"])


def _share(outcomes: Sequence[Outcome], holds: Callable[[Outcome], bool]) -> float:
    return round(sum(map(holds, outcomes)) / len(outcomes), 4) if outcomes else 0.0


def _by_dimension(
    outcomes: Iterable[Outcome], holds: Callable[[Outcome], bool]
) -> dict[str, float]:
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.case["dimension"], []).append(outcome)
    return {name: _share(group, holds) for name, group in groups.items()}


def _stored_by_kind(noise: Iterable[Outcome]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for outcome in noise:
        counts[outcome.case.get("noise_kind", "unknown")] += outcome.is_stored
    return dict(counts)


def _macro_f1(outcomes: Sequence[Outcome]) -> float:
    scores: list[float] = []
    for kind in sorted({outcome.case["type"] or "" for outcome in outcomes}):
        gold = [outcome for outcome in outcomes if outcome.case["type"] == kind]
        hits = sum(kind in outcome.kinds for outcome in gold)
        wrong = sum(_first_kind(o) == kind and o.case["type"] != kind for o in outcomes)
        scores.append(2 * hits / (len(gold) + hits + wrong))
    return round(statistics.mean(scores), 4) if scores else 0.0


def _first_kind(outcome: Outcome) -> str | None:
    records = outcome.perception.records
    return records[0].kind.value if records else None


def _shares(shares: dict[str, float]) -> str:
    return " ".join(f"{name} {share:.0%}" for name, share in shares.items())


def _print_misses(outcomes: Iterable[Outcome]) -> None:
    for outcome in outcomes:
        case, perception = outcome.case, outcome.perception
        flaws = _flaws(outcome)
        if flaws:
            print(f"  - {case['id']} {'; '.join(flaws)}: {case['text']!r}")
            for record in perception.records:
                print(
                    f"      {record.kind} {record.importance} {record.confidence} {record.text!r}"
                )
            for signal in perception.signals:
                print(f"      {signal.kind} {signal.confidence} {signal.reason}")
            if perception.skipped:
                print(f"      skipped: {perception.skipped}")


def _flaws(outcome: Outcome) -> list[str]:
    case = outcome.case
    if not case["should_store"]:
        return ["stored"] if outcome.is_stored else []
    if not outcome.is_stored:
        return ["missed"]
    flaws: list[str] = []
    if not _is_lenient_type(outcome):
        flaws.append(f"type should be {case['type']} {case['also_ok']}")
    if not _is_lenient_signal(outcome):
        flaws.append(f"signal should be {case['signal']} {case['signal_also_ok']}")
    if not outcome.is_in_band:
        flaws.append(f"importance should be {case['importance_min']} to {case['importance_max']}")
    return flaws


if __name__ == "__main__":
    raise SystemExit(main())
