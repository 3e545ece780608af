"""One throw-away PostgreSQL for the whole run, up before Django reads its settings.

Loaded with `-p`; the test workers inherit the address and make their own databases in it.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.db.place import place_of
from memory.db.server import Server, start

# Nothing here outlives the run, so nothing has to reach the disk.
UNSAFE_AND_FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    "autovacuum": "off",
}

_server: Server | None = None
_folder: Path | None = None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Iterator[None]:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        _start()
    else:
        # Files of its own too: to one test's sweep, those of another database have no row.
        os.environ["LONGHAND_HOME"] += f"-{worker}"
    try:
        yield
    except BaseException:
        _stop()
        raise


def _start() -> None:
    global _server, _folder
    _folder = Path(tempfile.mkdtemp(prefix="longhand-tests-"))
    _folder.chmod(0o755)  # as root, the database's own user has to reach its part
    os.environ["LONGHAND_HOME"] = str(_folder / "home")
    os.environ["LONGHAND_EMBEDDER"] = "hashing"
    os.environ["LONGHAND_SECRET_KEY"] = secrets.token_urlsafe(50)
    # Read when torch is loaded: its other threads would only spin.
    os.environ["OMP_NUM_THREADS"] = "1"
    # Processes start by the hundred; none of them should compile what another has.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in ("LONGHAND_PART", "DATABASE_URL_FILE", "LONGHAND_SECRET_KEY_FILE"):
        os.environ.pop(name, None)
    chosen = os.environ.get("LONGHAND_TEST_DATABASE_URL")
    if chosen:
        os.environ["DATABASE_URL"] = chosen
        return
    place = place_of(_folder / "home", root_folder=_folder / "database")
    _server = start(place, settings=UNSAFE_AND_FAST)
    os.environ["DATABASE_URL"] = place.url


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    _stop()


def _stop() -> None:
    global _server, _folder
    if _server is not None:
        _server.stop()
    if _folder is not None:
        shutil.rmtree(_folder, ignore_errors=True)
    _server = _folder = None
