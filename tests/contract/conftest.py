import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from memory.backends.embedding.export import MINILM
from memory.backends.embedding.publishing import only_writer

PROJECT = Path(__file__).parents[2]
EXPORT_SECONDS = 300


@dataclass(frozen=True, slots=True)
class FirstExport:
    """The default model, from two exporters that began at once with a damaged folder.

    Shape: `written` is the number of the model's file, once one had ended and once both had.
    """

    folder: str
    statuses: list[int]
    written: list[int]


@pytest.fixture(scope="session")
def exported_model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default model, exported once for all test workers."""
    return Path(first_export(tmp_path_factory).folder)


def first_export(factory: pytest.TempPathFactory) -> FirstExport:
    """The one real export of this run, which takes a while; whoever asks later gets the same."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    record = shared / "first_export.json"
    with only_writer(record):
        if not record.exists():
            models = Path(os.environ.get("LONGHAND_TEST_MODELS") or shared / "models")
            record.write_text(json.dumps(asdict(_exported_twice(models / MINILM))))
    return FirstExport(**json.loads(record.read_text()))


def _exported_twice(target: Path) -> FirstExport:
    if not target.exists():
        target.mkdir(parents=True)
        (target / "config.json").write_text("{")
    program = [sys.executable, "-m", "memory.backends.embedding.export", str(target)]
    exporters = [subprocess.Popen(program, cwd=PROJECT) for _ in range(2)]
    statuses, written = [], []
    for exporter in exporters:
        statuses.append(exporter.wait(timeout=EXPORT_SECONDS))
        written.append((target / "model.onnx").stat().st_ino)
    return FirstExport(str(target), statuses, written)
