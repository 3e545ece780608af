"""What every test gets."""

import gc
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import pytest_randomly
import pytest_socket
from django.conf import settings
from django.test import TransactionTestCase

from tests.emptying import empty_tables

pytest_plugins = ["tests.fixtures"] if find_spec("tests.fixtures") else []

# What takes long and shares an installation that runs; one worker gets them all.
WAITING = ("faults/", "dashboard/supervision/")
LOOPBACK = ["127.0.0.1", "::1", "localhost"]


def pytest_configure(config: pytest.Config) -> None:
    # The order is random all the same; the seeds that other packages offer load torch everywhere.
    config.option.randomly_reset_seed = False
    pytest_randomly.entrypoint_reseeds = []
    TransactionTestCase._fixture_teardown = empty_tables  # type: ignore[attr-defined]  # unlisted
    # The manifest is written by `up`; pages under test link to the plain files.
    storages: dict[str, Any] = settings.STORAGES
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    Path(settings.FILE_UPLOAD_TEMP_DIR).mkdir(parents=True, exist_ok=True)
    storages["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whoever needs the exported model may be the one who has to export it."""
    if "exported_model_dir" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    # All that is loaded by now stays to the end: the collector need not walk over it each time.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with those that wait for processes, side by side with those that compute."""
    items.sort(key=lambda item: _place(item.path.relative_to(Path(__file__).parent).as_posix()))


def _place(path: str) -> int:
    """The order of a module; inside one place it stays random."""
    return next((n for n, folder in enumerate(WAITING) if path.startswith(folder)), len(WAITING))


@pytest.fixture(autouse=True)
def _no_network() -> None:
    pytest_socket.socket_allow_hosts(LOOPBACK, allow_unix_socket=True)
