import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from memory.db.place import Place, place_of
from memory.db.server import start

FAST = {"shared_buffers": "16MB"}


@pytest.fixture
def place() -> Iterator[Place]:
    """A home of its own, whose database as root is not in the system's folder."""
    with own_place() as place:
        yield place


@pytest.fixture(scope="session")
def ran_before() -> Iterator[Place]:
    """Where a server has been started and stopped, which takes seconds the first time."""
    with own_place() as place:
        server = start(place, settings=FAST)
        assert server is not None
        server.stop()
        yield place


@pytest.fixture
def used_place(place: Place, ran_before: Place) -> Place:
    """As `place`, but with its data there already."""
    furnish(place, ran_before)
    return place


def furnish(place: Place, ran_before: Place) -> None:
    """Copy the data of another place into a new one."""
    place.base.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", str(ran_before.base), str(place.base)], check=True)


@contextmanager
def own_place() -> Iterator[Place]:
    """A new folder for one place, and the end of all that ran in it."""
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
