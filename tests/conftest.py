"""What every test gets."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import pytest_socket
from django.conf import settings

pytest_plugins = ["tests.fixtures"] if find_spec("tests.fixtures") else []

LOOPBACK = ["127.0.0.1", "::1", "localhost"]


def pytest_configure(config: pytest.Config) -> None:
    # The manifest is written by `up`; pages under test link to the plain files.
    storages: dict[str, Any] = settings.STORAGES
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    Path(settings.FILE_UPLOAD_TEMP_DIR).mkdir(parents=True, exist_ok=True)
    storages["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.fixture(autouse=True)
def _no_network() -> None:
    pytest_socket.socket_allow_hosts(LOOPBACK, allow_unix_socket=True)
