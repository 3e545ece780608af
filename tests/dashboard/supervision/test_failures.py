import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, ProgrammingError, connection

from dashboard.supervision.failures import (
    LONGEST_LINE,
    StartFailed,
    describe,
    one_line,
    one_line_failures,
)


def test_failure_is_one_line_and_code_two_when_it_is_expected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left, one_line_failures():
        raise ImproperlyConfigured("LONGHAND_PORT is\nwrong. Use a number.")

    assert left.value.code == 2
    assert capsys.readouterr().err == "LONGHAND_PORT is wrong. Use a number.\n"


def test_fault_passes_when_it_is_not_expected() -> None:
    with pytest.raises(KeyError), one_line_failures():
        raise KeyError("a fault in the code")


def test_line_keeps_setting_and_remedy_when_it_is_too_long() -> None:
    line = one_line("LONGHAND_HOME " + "x" * 400 + " Set it to a folder.")

    assert len(line) <= LONGEST_LINE
    assert line.startswith("LONGHAND_HOME")
    assert line.endswith("Set it to a folder.")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StartFailed("Set LONGHAND_HOST."), ["Set LONGHAND_HOST."]),
        (
            OperationalError("connection failed: FATAL:  password authentication failed\nmore"),
            ["password authentication failed", "DATABASE_URL"],
        ),
        (ProgrammingError("permission denied to create extension"), ["denied", "DATABASE_URL"]),
        (OSError(28, "No space left on device", "/srv/x"), ["/srv/x", "No space", "LONGHAND_HOME"]),
    ],
)
def test_description_names_reason_and_setting_when_start_fails(
    error: Exception, words: list[str]
) -> None:
    description = describe(error)

    assert all(word in description for word in words)
    assert "\n" not in description


@pytest.mark.django_db
@pytest.mark.parametrize(
    "missing", ["SELECT 1 FROM nothing_here", "SELECT nothing FROM memory_user"]
)
def test_description_names_the_command_when_tables_are_missing(missing: str) -> None:
    with pytest.raises(ProgrammingError) as caught, connection.cursor() as cursor:
        cursor.execute(missing)

    description = describe(caught.value)
    assert "does not exist" in description
    assert "manage.py migrate" in description
    assert "\n" not in description


def test_unforeseen_fault_is_one_line_and_a_file_when_program_ends(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from dashboard.supervision.failures import report_faults
report_faults(Path(sys.argv[1]))
raise ZeroDivisionError("by nought")
"""

    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert str(tmp_path / "logs" / "up.log") in result.stderr
    assert "Traceback" in (tmp_path / "logs" / "up.log").read_text()
