"""Labelled messages to measure capture on."""

import json
from pathlib import Path
from typing import TypedDict

from memory.domain.redaction import redact


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


SECRET = "secret"


def load_cases(path: Path) -> list[Case]:
    """The cases of a JSON Lines file."""
    lines = path.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def is_secret(case: Case) -> bool:
    """Whether nothing of the case may be stored because it is a secret."""
    return case.get("noise_kind") == SECRET


def holds_secret(text: str) -> bool:
    """Whether a stored text shows a secret that masking knows."""
    return bool(redact(text).found)
