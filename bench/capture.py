"""Measure capture on labelled messages: `python -m bench.capture --file F.jsonl [--json OUT]`.

The whole decision is measured: rules, classifier, and the embedder that it reads; `--rules-only`
leaves the last two out, `--blind` takes the sets in bench/blind, which nothing was tuned to. No
database is needed. Without `--file`, LONGHAND_CASES names the folder of cases: the set is then
`../bench/capture_dev.jsonl` beside it.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bench.capture_cases import Case, load_cases
from bench.capture_report import Report, measure, print_misses, print_report
from bench.capture_runs import Decider, embedder_p95_us, reader, run_cases
from memory.domain.perceptor import perceive

BLIND = Path(__file__).with_name("blind")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when it ran, 2 when there is no set to run on."""
    options = _parser().parse_args(arguments)
    paths = sorted(BLIND.glob("*.jsonl")) if options.blind else _given(options.file)
    if not paths or not all(path.is_file() for path in paths):
        print("No set: name a JSON Lines file, or set LONGHAND_CASES.", file=sys.stderr)
        return 2
    cases = [case for path in paths for case in load_cases(path)]
    decider = Decider(None if options.rules_only else reader(), options.rules_only)
    decider.warm_up()
    reports = {}
    for language in sorted({case["lang"] for case in cases}):
        chosen = [case for case in cases if case["lang"] == language]
        reports[language] = _reported(language, chosen, decider, shows_misses=options.misses)
    if decider.embedder:
        print(f"embedder alone, p95: {embedder_p95_us(cases, decider.embedder):,.0f} µs")
    if options.json:
        content = {language: asdict(report) for language, report in reports.items()}
        options.json.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return 0


def _reported(
    language: str, cases: Sequence[Case], decider: Decider, *, shows_misses: bool
) -> Report:
    outcomes = run_cases(cases, perceive, decider)
    report = measure(outcomes)
    print_report(language, report, outcomes)
    if shows_misses:
        print_misses(outcomes)
    return report


def _given(file: Path | None) -> list[Path]:
    folder = os.environ.get("LONGHAND_CASES")
    if file is None and folder:
        file = Path(folder).parent / "bench" / "capture_dev.jsonl"
    return [file] if file else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.capture", description="Measure capture.")
    parser.add_argument("--file", type=Path, help="labelled messages, JSON Lines")
    parser.add_argument("--blind", action="store_true", help="the sets that nothing was tuned to")
    parser.add_argument("--rules-only", action="store_true", help="without the classifier")
    parser.add_argument("--json", type=Path, help="write the measures to this file")
    parser.add_argument("--misses", action="store_true", help="list what went wrong")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
