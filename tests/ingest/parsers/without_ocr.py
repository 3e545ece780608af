"""The parsers of a host on which the OCR package was never installed; run in the child only."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages, SlowPage


def parse(path: Path) -> Iterator[Element | Pages | SlowPage]:
    sys.modules["rapidocr"] = None  # type: ignore[assignment]
    name = "pdf" if path.suffix == ".pdf" else "image"
    yield from importlib.import_module(f"ingest.parsers.{name}").parse(path)
