import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.contract.conftest import exported_model_dir
from tests.dashboard.supervision.conftest import Installation, Up, furnished, installation

__all__ = ["exported_model_dir", "furnished", "installation"]


@dataclass(frozen=True, slots=True)
class Running:
    """An installation whose `up` runs."""

    installation: Installation
    up: Up


@contextmanager
def running_installation(*options: str, **settings: str) -> Iterator[Running]:
    """A fresh installation that runs with these settings until the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="longhand-fault-"))
    installation = Installation(folder).furnish()
    try:
        up = installation.up(*options, **settings)
        up.wait_until_running()
        yield Running(installation, up)
        up.stop()
    finally:
        installation.clean()
        shutil.rmtree(folder)
