import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory.backends.embedding.export import MINILM

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def exported_model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default model, exported once for all test workers: the exporter itself takes turns."""
    target = _models_folder(tmp_path_factory) / MINILM
    program = [sys.executable, "-m", "memory.backends.embedding.export", str(target)]
    subprocess.run(program, cwd=PROJECT, check=True, timeout=300)
    return target


def _models_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if chosen := os.environ.get("LONGHAND_TEST_MODELS"):
        return Path(chosen)
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    return shared / "models"
