import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.db.place import Place, place_of
from tests.memory.db.conftest import furnish, server_processes

pytestmark = pytest.mark.slow

LONE_COMMAND = """
import sys
from pathlib import Path
import django
from django.conf import settings
from memory.db.settings import database_config

config = database_config(Path(sys.argv[1]), None, pooled=sys.argv[2] == "pooled")
settings.configure(DATABASES={"default": config})
django.setup()
from django.db import connection, connections

with connection.cursor() as cursor:
    cursor.execute("SELECT pg_backend_pid()")
    print(*cursor.fetchone(), flush=True)
sys.stdin.readline()
with connection.cursor() as cursor:
    cursor.execute("SELECT current_database()")
    print(*cursor.fetchone(), flush=True)
"""


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="longhand-lone-"))
    yield folder / "home"
    shutil.rmtree(folder)
    if os.geteuid() == 0:
        shutil.rmtree(place_of(folder / "home").base)


@pytest.fixture
def used_home(home: Path, ran_before: Place) -> Path:
    furnish(place_of(home), ran_before)
    return home


def lone_command(home: Path, pool: str = "single") -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", LONE_COMMAND, str(home), pool],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("pool", ["single", "pooled"])
def test_lone_command_starts_server_and_stops_it_when_it_ends(home: Path, pool: str) -> None:
    command = lone_command(home, pool)

    output, errors = command.communicate("\n", timeout=60)

    assert output.split()[1:] == ["longhand"], errors
    assert server_processes(place_of(home)) == []


def test_second_command_goes_on_when_the_first_that_started_the_server_ends(
    used_home: Path,
) -> None:
    first = lone_command(used_home)
    assert first.stdout is not None
    first.stdout.readline()
    second = lone_command(used_home)
    assert second.stdout is not None
    second.stdout.readline()
    assert first.stdin is not None
    first.stdin.close()

    output, errors = second.communicate("\n", timeout=60)
    first.wait(timeout=60)

    assert output.split() == ["longhand"], errors
    assert server_processes(place_of(used_home)) == []
    for stream in (first.stdout, first.stderr):
        assert stream is not None
        stream.close()


def test_server_stops_when_lone_command_is_killed(used_home: Path) -> None:
    command = lone_command(used_home)
    assert command.stdout is not None
    command.stdout.readline()
    processes = server_processes(place_of(used_home))

    command.kill()
    command.communicate(timeout=10)

    for process in processes:
        process.wait(10)
    assert processes
