"""The whole database as one stream and back, by PostgreSQL's own programs."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import psycopg

from memory.db.cluster import last_complaint
from memory.db.errors import DatabaseFailed
from memory.db.programs import client_programs

SCHEMA = "public"
PIECE_BYTES = 1 << 20
# An older server does not know it, and it says "no limit" only.
NOT_FOR_OLDER_SERVERS = b"SET transaction_timeout"
END_OF_PREAMBLE = b"SET row_security"

# What an extension brought stays: the right to make it again may be another person's.
DROP_EVERYTHING = """
SET lock_timeout = '30s';
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
DO $drop$
DECLARE each record;
BEGIN
    FOR each IN
        SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                            WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS what, relname
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
        -- Tables first: each takes its sequences and views with it.
        ORDER BY relkind NOT IN ('r', 'p')
    LOOP
        EXECUTE format('DROP %s IF EXISTS public.%I CASCADE', each.what, each.relname);
    END LOOP;
    FOR each IN
        SELECT oid::regprocedure::text AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    LOOP
        EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', each.name);
    END LOOP;
END
$drop$;
"""


class Writable(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> object:
        """Take these bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """How PostgreSQL's programs reach a database; the password is never on a command line."""

    conninfo: str
    password: str

    def environment(self) -> dict[str, str]:
        """The environment for a program: the password, and no setting of somebody else's."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return {**kept, "PGPASSWORD": self.password} if self.password else kept


def address_of(parameters: Mapping[str, Any]) -> Address:
    """The address that Django's connection parameters name."""
    known = {"host", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"}
    chosen = {name: str(value) for name, value in parameters.items() if name in known and value}
    return Address(
        psycopg.conninfo.make_conninfo("", **chosen), str(parameters.get("password") or "")
    )


def dump(address: Address, target: Writable) -> None:
    """Write the tables, as they are at this moment, to `target`.

    Raises: DatabaseFailed with the reason; OSError.
    """
    arguments = ["--format=custom", "--no-owner", "--no-privileges", "--exclude-extension=*"]
    command = [
        "pg_dump",
        *arguments,
        "--no-password",
        f"--schema={SCHEMA}",
        f"--dbname={address.conninfo}",
    ]
    with _running(command, address, stdout=subprocess.PIPE) as program:
        _copy(_opened(program.stdout), target)


def load(address: Address, file: Path) -> None:
    """Put the dumped tables in the place of all that are there, in one transaction.

    Raises: DatabaseFailed with the reason, and then nothing has changed; OSError.
    """
    unpack = ["pg_restore", "--no-owner", "--no-privileges", f"--schema={SCHEMA}", "--file=-"]
    store = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    store += ["--file=-", "--no-password", f"--dbname={address.conninfo}"]
    with _running(store, address, stdin=subprocess.PIPE) as storing:
        target = _opened(storing.stdin)
        # Where the database refuses a statement, its program ends, and says why.
        with suppress(BrokenPipeError):
            target.write(b"BEGIN;\n" + DROP_EVERYTHING.encode())
            with _running([*unpack, str(file)], address, stdout=subprocess.PIPE) as unpacking:
                _copy_statements(_opened(unpacking.stdout), target)
            # Written last, so that a restore which is cut short at any point changes nothing.
            target.write(b"COMMIT;\n")


def _copy_statements(source: IO[bytes], target: IO[bytes]) -> None:
    for line in source:
        if not line.startswith(NOT_FOR_OLDER_SERVERS):
            target.write(line)
        if line.startswith(END_OF_PREAMBLE):
            break
    _copy(source, target)


def _copy(source: IO[bytes], target: Writable) -> None:
    while piece := source.read(PIECE_BYTES):
        target.write(piece)


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("The program was started without this pipe.")
    return stream


@contextmanager
def _running(
    command: Sequence[str],
    address: Address,
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that has ended well when the block is left, and that ends when it is not.

    Raises: DatabaseFailed with the program's own reason.
    """
    program = client_programs() / command[0]
    with tempfile.TemporaryFile() as complaints, ExitStack() as unless_whole:
        started = subprocess.Popen(  # noqa: S603 - the package's own program
            [str(program), *command[1:]],
            env=address.environment(),
            stdin=stdin,
            stdout=stdout,
            stderr=complaints,
        )
        unless_whole.callback(started.wait)
        unless_whole.callback(started.kill)
        yield started
        unless_whole.pop_all()
        with suppress(BrokenPipeError):
            # Closes the pipes and waits for the end.
            started.__exit__(None, None, None)
        if started.wait():
            complaints.seek(0)
            reason = last_complaint(complaints.read().decode(errors="replace"))
            raise DatabaseFailed(f"{command[0]} could not do its work: {reason}")
