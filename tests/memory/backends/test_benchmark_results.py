import json
from pathlib import Path

import pytest

from bench.results import Measurement, at_least, at_most, print_table, write_json


@pytest.mark.parametrize(("value", "passed"), [(1.9, False), (2.0, True), (2.1, True)])
def test_at_least_passes_from_its_floor_on(value: float, passed: bool) -> None:
    assert at_least("speed", value, "x", floor=2).passed is passed


@pytest.mark.parametrize(("value", "passed"), [(399, True), (400, True), (401, False)])
def test_at_most_passes_up_to_its_ceiling(value: float, passed: bool) -> None:
    assert at_most("memory", value, "MB", ceiling=400).passed is passed


def test_print_table_lines_up_and_shouts_only_failures(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(
        [
            Measurement("free", 1234.5, "ms"),
            at_least("likeness", 0.99995, "cosine", floor=0.9999),
            at_most("memory", 500, "MB", ceiling=400),
        ]
    )

    heading, free, likeness, memory = capsys.readouterr().out.splitlines()
    assert heading.split() == ["measurement", "value", "unit", "target", "verdict"]
    assert free.split() == ["free", "1,234.5", "ms"]
    assert likeness.split() == ["likeness", "0.99995", "cosine", ">=", "0.9999", "pass"]
    assert memory.split() == ["memory", "500.0", "MB", "<=", "400", "FAIL"]
    assert heading.index("unit") == free.index("ms") == memory.index("MB")


def test_write_json_stores_every_field(tmp_path: Path) -> None:
    write_json([Measurement("free", 1.5, "ms")], tmp_path / "out.json")

    assert json.loads((tmp_path / "out.json").read_text()) == [
        {"name": "free", "value": 1.5, "unit": "ms", "target": "", "passed": None}
    ]
