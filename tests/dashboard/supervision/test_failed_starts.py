import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.supervision.conftest import Installation

if TYPE_CHECKING:
    import subprocess

FAILURE_SECONDS = 5.0


def refusal(result: "subprocess.CompletedProcess[str]") -> str:
    """The one line of a failed start."""
    lines = result.stderr.splitlines()
    assert result.returncode == 2, result.stderr
    assert len(lines) == 1, result.stderr
    assert len(lines[0]) <= 200
    return lines[0]


# Every other setting is refused in the same place; tests/test_settings.py has them all.
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LONGHAND_PORT", "seven"),
        ("LONGHAND_HOST", "no.such.host.invalid"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/longhand"),
        ("LONGHAND_SECRET_KEY_FILE", "/no/such/file"),
        ("LONGHAND_HOME", "/dev/null/home"),
        ("LONGHAND_HOME", "/proc/longhand"),
        ("LONGHAND_REDIS_URL", "redis://:lamp-oil@127.0.0.1:1/0"),
    ],
)
def test_up_names_setting_in_one_line_when_it_is_wrong(
    installation: Installation, variable: str, value: str
) -> None:
    began = time.monotonic()

    result = installation.run("up", **{variable: value})

    assert variable.removesuffix("_FILE") in refusal(result)
    assert "lamp-oil" not in result.stderr
    assert time.monotonic() - began < FAILURE_SECONDS * 2  # the machine may be busy


@pytest.mark.parametrize("command", ["up", "web"])
def test_start_names_port_when_it_is_in_use(installation: Installation, command: str) -> None:
    with socket.create_server(("127.0.0.1", installation.port)):
        result = installation.run(command)

    line = refusal(result)
    assert "LONGHAND_PORT" in line
    assert str(installation.port) in line
    assert not (installation.home / "secret_key").exists()


@pytest.mark.parametrize("command", ["web", "worker"])
def test_part_names_the_key_when_it_is_started_alone_without_one(
    installation: Installation, command: str
) -> None:
    result = installation.run(command)

    assert "Set it to the key of the other hosts" in refusal(result)
    assert "LONGHAND_SECRET_KEY" in result.stderr


def test_port_option_wins_when_variable_says_otherwise(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", installation.port)):
        result = installation.run("up", "--port", str(installation.port), LONGHAND_PORT="1")

    assert f"LONGHAND_PORT {installation.port} is in use" in refusal(result)


def test_up_names_home_when_it_lies_below_a_file(
    installation: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()

    result = installation.run("up", LONGHAND_HOME=str(file / "home"))

    assert "LONGHAND_HOME" in refusal(result)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_up_names_home_when_it_may_not_be_written(
    installation: Installation, tmp_path: Path
) -> None:
    tmp_path.chmod(0o500)

    result = installation.run("up", LONGHAND_HOME=str(tmp_path / "home"))

    assert "LONGHAND_HOME" in refusal(result)
