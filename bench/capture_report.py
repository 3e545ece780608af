"""The measures of capture over labelled messages, and how they are shown."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from bench.capture_cases import holds_secret, is_secret
from bench.capture_runs import Outcome
from bench.timing import percentile
from memory.domain.fields import Kind

Test = Callable[[Outcome], bool]


@dataclass(frozen=True, slots=True)
class Times:
    """How long a decision takes.

    Units: microseconds.
    """

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class Report:
    """The measures of one language; shares are 0 to 1, and a case with no record counts as wrong.

    `parse_rate` is the share of the decisions on cases worth keeping that are well formed: one
    valid record at least, or a reason why there is none. `secrets_stored` counts cases.
    """

    kind_strict: float
    kind_lenient: float
    macro_f1: float
    signal_lenient: float
    importance_in_band: float
    importance_distinct: int
    capture_recall: float
    false_capture: float
    false_capture_by_kind: dict[str, float]
    secrets_stored: int
    parse_rate: float
    us_rules: Times
    us_all: Times


def measure(outcomes: Sequence[Outcome]) -> Report:
    """The measures over all outcomes of one language."""
    storable = [outcome for outcome in outcomes if outcome.case["should_store"]]
    noise = [outcome for outcome in outcomes if not outcome.case["should_store"]]
    values = {record.importance for outcome in storable for record in outcome.perception.records}
    return Report(
        kind_strict=share(storable, is_strict),
        kind_lenient=share(storable, is_lenient),
        macro_f1=_macro_f1(storable),
        signal_lenient=share(storable, is_signaled),
        importance_in_band=share(storable, is_in_band),
        importance_distinct=len(values),
        capture_recall=share(storable, is_stored),
        false_capture=share(noise, is_stored),
        false_capture_by_kind=shares_by("noise_kind", noise, is_stored),
        secrets_stored=sum(map(is_leak, outcomes)),
        parse_rate=share(storable, is_well_formed),
        us_rules=_times([outcome.us_rules for outcome in outcomes]),
        us_all=_times([outcome.us_all for outcome in outcomes]),
    )


def is_stored(outcome: Outcome) -> bool:
    """Whether any record came of it."""
    return outcome.is_stored


def is_strict(outcome: Outcome) -> bool:
    """Whether a record has the kind of the label."""
    return outcome.case["type"] in outcome.kinds


def is_lenient(outcome: Outcome) -> bool:
    """Whether a record has a kind that may be defended."""
    return is_strict(outcome) or bool(set(outcome.kinds) & set(outcome.case["also_ok"]))


def is_signaled(outcome: Outcome) -> bool:
    """Whether the weightiest signal may be defended."""
    return outcome.signal in (outcome.case["signal"], *outcome.case["signal_also_ok"])


def is_in_band(outcome: Outcome) -> bool:
    """Whether a record has an acceptable importance."""
    low, high = outcome.case["importance_min"], outcome.case["importance_max"]
    return any(low <= record.importance <= high for record in outcome.perception.records)


def is_leak(outcome: Outcome) -> bool:
    """Whether a secret is stored, or anything at all of a message that is one."""
    shown = any(holds_secret(record.text) for record in outcome.perception.records)
    return shown or (is_secret(outcome.case) and outcome.is_stored)


def is_well_formed(outcome: Outcome) -> bool:
    """Whether the answer is records that hold together, or a reason why there are none."""
    perception = outcome.perception
    if not perception.records:
        return bool(perception.skipped)
    return all(
        record.text.strip() and record.kind in set(Kind) and 1 <= record.importance <= 10
        for record in perception.records
    )


def share(outcomes: Sequence[Outcome], holds: Test) -> float:
    """The share of the outcomes for which it holds; 0 for none."""
    return round(sum(map(holds, outcomes)) / len(outcomes), 4) if outcomes else 0.0


def shares_by(field: str, outcomes: Iterable[Outcome], holds: Test) -> dict[str, float]:
    """The shares by what the cases have in this field."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(str(outcome.case.get(field, "unknown")), []).append(outcome)
    return {name: share(group, holds) for name, group in groups.items()}


def print_report(language: str, report: Report, outcomes: Sequence[Outcome]) -> None:
    """Write the measures for a person to read."""
    storable = [outcome for outcome in outcomes if outcome.case["should_store"]]
    print(f"[{language}] {len(storable)} worth keeping, {len(outcomes) - len(storable)} noise")
    kinds = _shown(shares_by("dimension", storable, is_lenient))
    print(f"  kind            {report.kind_lenient:6.1%}  strict {report.kind_strict:.1%}")
    print(f"                  macro-F1 {report.macro_f1:.2f}  {kinds}")
    print(f"  signal          {report.signal_lenient:6.1%}")
    print(f"  importance      {report.importance_in_band:6.1%}", end="")
    print(f"  {report.importance_distinct} distinct values")
    print(f"  recall          {report.capture_recall:6.1%}", end="")
    print(f"  {_shown(shares_by('dimension', storable, is_stored))}")
    print(f"  false capture   {report.false_capture:6.1%}", end="")
    print(f"  {_shown(report.false_capture_by_kind)}")
    print(f"  secrets stored  {report.secrets_stored}   parse rate {report.parse_rate:.1%}")
    for name, times in (("rules", report.us_rules), ("all", report.us_all)):
        print(f"  {name:5} µs        p50 {times.p50:,.0f}  p95 {times.p95:,.0f}", end="")
        print(f"  p99 {times.p99:,.0f}")


def print_misses(outcomes: Iterable[Outcome]) -> None:
    """Write what went wrong, case by case."""
    for outcome in outcomes:
        flaws = _flaws(outcome)
        if not flaws:
            continue
        print(f"  - {outcome.case['id']} {'; '.join(flaws)}: {outcome.case['text']!r}")
        for record in outcome.perception.records:
            words = record.reasons.get("classifier") or record.reasons.get("kind", "")
            print(f"      {record.kind} {record.importance} {record.text!r} ({words})")
        for signal in outcome.perception.signals:
            print(f"      {signal.kind} {signal.confidence} {signal.reason}")
        if outcome.perception.skipped:
            print(f"      skipped: {outcome.perception.skipped}")


def _flaws(outcome: Outcome) -> list[str]:
    case = outcome.case
    if not case["should_store"]:
        return ["stored"] if outcome.is_stored else []
    if not outcome.is_stored:
        return ["missed"]
    flaws: list[str] = []
    if not is_lenient(outcome):
        flaws.append(f"kind should be {case['type']} {case['also_ok']}")
    if not is_signaled(outcome):
        flaws.append(f"signal should be {case['signal']} {case['signal_also_ok']}")
    if not is_in_band(outcome):
        flaws.append(f"importance should be {case['importance_min']} to {case['importance_max']}")
    return flaws


def _macro_f1(outcomes: Sequence[Outcome]) -> float:
    scores: list[float] = []
    for kind in sorted({outcome.case["type"] or "" for outcome in outcomes}):
        gold = [outcome for outcome in outcomes if outcome.case["type"] == kind]
        hits = sum(kind in outcome.kinds for outcome in gold)
        wrong = sum(
            outcome.kinds[:1] == [kind] and outcome.case["type"] != kind for outcome in outcomes
        )
        scores.append(2 * hits / (len(gold) + hits + wrong))
    return round(mean(scores), 4) if scores else 0.0


def _times(values: Sequence[float]) -> Times:
    return Times(*(round(percentile(values, share), 1) for share in (0.5, 0.95, 0.99)))


def _shown(shares: dict[str, float]) -> str:
    return " ".join(f"{name} {each:.0%}" for name, each in sorted(shares.items()))
