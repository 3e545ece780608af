"""A start that fails says why in one line."""

import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from tests.dashboard.supervision.conftest import Installation
from tests.powers import BOUND_BY_RIGHTS

if TYPE_CHECKING:
    import subprocess

pytestmark = pytest.mark.slow

# The machine may be busy: it is to tell a start that hangs.
FAILURE_SECONDS = 40.0


def refusal(result: "subprocess.CompletedProcess[str]") -> str:
    """The one line of a failed start."""
    assert result.returncode == 2, result.stderr
    return one_line(result.stderr)


def one_line(stderr: str) -> str:
    (line,) = stderr.splitlines()
    assert len(line) <= 200
    return line


# Every other setting is refused in the same place; tests/test_settings.py has them all, and
# test_home.py all that a home may be.
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LONGHAND_PORT", "seven"),
        ("LONGHAND_HOST", "no.such.host.invalid"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/longhand"),
        ("LONGHAND_SECRET_KEY_FILE", "/no/such/file"),
        ("LONGHAND_HOME", "/dev/null/home"),
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
    assert time.monotonic() - began < FAILURE_SECONDS


def test_up_names_port_of_its_option_when_it_is_in_use(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", installation.port)):
        result = installation.run("up", "--port", str(installation.port), LONGHAND_PORT="1")

    assert f"LONGHAND_PORT {installation.port} is in use" in refusal(result)
    assert not (installation.home / "secret_key").exists()


@pytest.fixture
def home(settings: Settings, tmp_path: Path) -> Path:
    settings.LONGHAND_HOME = tmp_path / "home"
    return tmp_path / "home"


def test_web_names_port_when_it_is_in_use(
    home: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(SystemExit) as left:
        settings.LONGHAND_PORT = other.getsockname()[1]
        call_command("web")

    assert left.value.code == 2
    assert f"LONGHAND_PORT {settings.LONGHAND_PORT} is in use" in one_line(capsys.readouterr().err)
    assert not (home / "secret_key").exists()


def test_web_names_the_key_when_it_is_started_alone_without_one(
    home: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.LONGHAND_PORT = 0
    settings.LONGHAND_HAS_LASTING_KEY = False

    with pytest.raises(SystemExit) as left:
        call_command("web")

    assert left.value.code == 2
    line = one_line(capsys.readouterr().err)
    assert "LONGHAND_SECRET_KEY" in line
    assert "Set it to the key of the other hosts" in line


def test_worker_names_the_key_when_it_is_started_alone_without_one(
    installation: Installation,
) -> None:
    line = refusal(installation.run("worker"))

    assert "LONGHAND_SECRET_KEY" in line
    assert "Set it to the key of the other hosts" in line


def test_up_names_home_when_it_may_not_be_written(
    installation: Installation, tmp_path: Path
) -> None:
    tmp_path.chmod(0o500)

    result = installation.run("up", within=BOUND_BY_RIGHTS, LONGHAND_HOME=str(tmp_path / "home"))

    assert "LONGHAND_HOME" in refusal(result)
