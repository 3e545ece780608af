"""How much the rules alone find in the labelled English messages that the repository ships."""

import json
from functools import lru_cache
from pathlib import Path

from memory.domain import classifier
from memory.domain.perceptor import perceive
from memory.domain.redaction import MASK, redact

FOLDER = Path(classifier.__file__).parent / "examples"


@lru_cache(maxsize=1)
def perceived():
    """Each labelled message with what the rules make of it, masked as the service masks it."""
    files = sorted(FOLDER.glob("en_*.jsonl"))
    cases = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [(case, perceive(redact(case["text"]).text)) for case in cases]


def share(found):
    found = list(found)
    assert found
    return sum(found) / len(found)


def storable():
    return [(case, p.records) for case, p in perceived() if case["should_store"]]


def test_rules_keep_what_is_worth_keeping_and_leave_the_rest():
    noise = [perception for case, perception in perceived() if not case["should_store"]]

    assert share(bool(records) for _, records in storable()) >= 0.92
    assert share(bool(perception.records) for perception in noise) <= 0.05


def test_rules_keep_no_secret():
    records = [record for _, perception in perceived() for record in perception.records]

    assert not any(MASK in record.text for record in records)


def test_rules_tell_the_kind_and_the_importance():
    kinds = [
        bool({record.kind.value for record in records} & {case["type"], *case["also_ok"]})
        for case, records in storable()
    ]
    bands = [
        any(case["importance_min"] <= r.importance <= case["importance_max"] for r in records)
        for case, records in storable()
    ]

    assert share(kinds) >= 0.75
    assert share(bands) >= 0.8
    assert len({record.importance for _, records in storable() for record in records}) >= 6
