import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from memory.db.place import Place, place_of


@pytest.fixture
def place() -> Iterator[Place]:
    """A home of its own, whose database as root is not in the system's folder."""
    # Not tmp_path: its parents are closed to the database's own user.
    folder = Path(tempfile.mkdtemp(prefix="longhand-place-"))
    folder.chmod(0o755)
    place = place_of(folder / "home", root_folder=folder / "database")
    yield place
    for process in server_processes(place):
        with suppress(psutil.NoSuchProcess):  # a backend that was just ending
            process.kill()
    shutil.rmtree(folder)
    shutil.rmtree(place.sockets, ignore_errors=True)


def server_processes(place: Place) -> list[psutil.Process]:
    """Every process of the place's server: they all work in its data folder."""
    processes = psutil.process_iter(["cwd"])
    return [process for process in processes if process.info["cwd"] == str(place.data)]
