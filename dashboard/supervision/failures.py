"""A failed start or a wrong setting: one line with the remedy, and exit code 2."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable

from memory.domain.errors import Permanent

LONGEST_LINE = 200
EXIT_CODE = 2
EXPECTED: tuple[type[Exception], ...] = (
    ImproperlyConfigured,
    Permanent,
    DatabaseError,
    InterfaceError,
)


class StartFailed(Permanent):
    """Longhand cannot start; the message is one line that names setting and remedy."""


@contextmanager
def one_line_failures(*more: type[Exception]) -> Iterator[None]:
    """Turn expected failures, and `more` kinds, into one line on standard error.

    Raises: SystemExit with code 2.
    """
    try:
        yield
    except (*EXPECTED, *more) as error:
        fail(describe(error))


def fail(message: str) -> NoReturn:
    """Say what is wrong in one line and leave.

    Raises: SystemExit with code 2.
    """
    sys.stderr.write(one_line(message) + "\n")
    sys.exit(EXIT_CODE)


def report_faults(home: Path) -> None:
    """Let a fault nobody foresaw end the program with one line; the details go to a file."""

    def report(
        kind: type[BaseException], fault: BaseException, trace: TracebackType | None
    ) -> None:
        file = home / "logs" / "up.log"
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with file.open("a") as log:
            log.write(f"{datetime.now(UTC).isoformat()}\n")
            traceback.print_exception(kind, fault, trace, file=log)
        sys.stderr.write(one_line(f"Longhand failed: {kind.__name__}: {fault}. See {file}.") + "\n")
        sys.stderr.flush()
        # The interpreter would leave with code 1, which says that the command itself was wrong.
        os._exit(EXIT_CODE)

    sys.excepthook = report


def one_line(message: str) -> str:
    """The message without line breaks, at most 200 characters; a long middle gives way."""
    words = " ".join(message.split())
    if len(words) <= LONGEST_LINE:
        return words
    # The remedy stands at the end, so it is the middle that goes.
    half = (LONGEST_LINE - 3) // 2
    return f"{words[:half]}...{words[-half:]}"


def describe(error: BaseException) -> str:
    """What to tell the person who started Longhand."""
    if isinstance(error, OperationalError):
        return f"The database does not answer: {_first_line(error)}. Check DATABASE_URL."
    if isinstance(error.__cause__, UndefinedTable | UndefinedColumn):
        lacking = _first_line(error)
        return f"The database is of another version: {lacking}. Run manage.py migrate first."
    if isinstance(error, DatabaseError | InterfaceError):
        return f"The database refused: {_first_line(error)}. Check DATABASE_URL and its rights."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}. Check LONGHAND_HOME, its rights and free space."
    return str(error)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    reasons = [line.partition("FATAL:")[2].strip() for line in lines if "FATAL:" in line]
    return (reasons or lines)[0].rstrip(".")
