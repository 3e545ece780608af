"""A Redis of one's own, on a free port and without a file."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.dashboard.supervision.conftest import free_port

PASSWORD = "lamp-oil"


@contextmanager
def redis_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """Its address, with a password, until the end of the block."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed; on Debian: apt-get install redis-server")
    port = port or free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    process = subprocess.Popen(
        [program, *options, "--requirepass", PASSWORD], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        next(line for line in process.stdout if "Ready to accept connections" in line)
        yield address_of(port)
    finally:
        process.terminate()
        process.communicate(timeout=10)


def address_of(port: int) -> str:
    return f"redis://:{PASSWORD}@127.0.0.1:{port}/0"
