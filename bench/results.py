"""What a benchmark reports, and the two forms it is reported in."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number with its unit; `passed` is None when there is no target to meet."""

    name: str
    value: float
    unit: str
    target: str = ""
    passed: bool | None = None


def at_least(name: str, value: float, unit: str, *, floor: float) -> Measurement:
    """A measurement that passes at or above the floor."""
    return Measurement(name, value, unit, target=f">= {floor:g}", passed=value >= floor)


def at_most(name: str, value: float, unit: str, *, ceiling: float) -> Measurement:
    """A measurement that passes at or below the ceiling."""
    return Measurement(name, value, unit, target=f"<= {ceiling:g}", passed=value <= ceiling)


def print_table(measurements: Sequence[Measurement]) -> None:
    """Print one aligned line each, its verdict last.

    Side effects: writes to standard output.
    """
    rows = [(m.name, _number(m.value), m.unit, m.target, _verdict(m)) for m in measurements]
    rows.insert(0, ("measurement", "value", "unit", "target", "verdict"))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for name, value, *rest in rows:
        cells = [cell.ljust(width) for cell, width in zip(rest, widths[2:], strict=True)]
        line = "  ".join([name.ljust(widths[0]), value.rjust(widths[1]), *cells])
        print(line.rstrip())


def write_json(measurements: Sequence[Measurement], path: Path) -> None:
    """Store the measurements as a JSON list."""
    text = json.dumps([asdict(m) for m in measurements], indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def _number(value: float) -> str:
    return f"{value:,.5f}" if abs(value) < 2 else f"{value:,.1f}"


def _verdict(measurement: Measurement) -> str:
    return {None: "", True: "pass", False: "FAIL"}[measurement.passed]
