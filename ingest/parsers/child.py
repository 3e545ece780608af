"""The program that parses one document, alone: file in, JSON lines out.

A password comes by the standard input: arguments and environment can be read by others.

Run by path under `python -I`: the folder of this file, whose `html.py` would stand in for the
standard one, never enters the import path.
"""

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypedDict

if TYPE_CHECKING:
    from ingest.parsers.unpacking import Unpacking

PROJECT = Path(__file__).resolve().parents[2]


class Job(TypedDict):
    """What the parent asks for, as the JSON of the only argument."""

    path: str
    parser: str
    parent_pid: int
    memory_bytes: int
    cpu_seconds: int
    slow_page_seconds: int
    slow_pages: int
    most_members: int
    most_unpacked_bytes: int
    largest_member_bytes: int
    also_reads: list[str]


def leave_out() -> None:
    """Keep out what libraries import in passing: a second and half a gigabyte nobody needs."""
    sys.modules["torch"] = None  # type: ignore[assignment]


def main(job: Job, password: str) -> None:
    """Confine this process, then send what the parser finds; an unforeseen error ends it."""
    from ingest.parsers import confinement, last_words, transmission

    last_words.quote_no_document()
    confinement.die_with(job["parent_pid"])
    slow_page_seconds = job["slow_page_seconds"]
    confinement.limit_resources(
        memory_bytes=job["memory_bytes"],
        cpu_seconds=job["cpu_seconds"],
        spare_cpu_seconds=job["slow_pages"] * slow_page_seconds,
        held_file_bytes=job["largest_member_bytes"],
    )
    _shut_in(job)
    confinement.refuse_network_and_programs()
    with _protocol_stream() as stream:
        transmission.send_document(
            Path(job["path"]),
            job["parser"],
            stream,
            slow_page_seconds=slow_page_seconds,
            password=password,
            unpack=partial(_unpacking, job),
        )


def _unpacking(job: Job) -> "Unpacking":
    """Where what the document holds is written: beside all else that this process writes."""
    from ingest.parsers.unpacking import Unpacking

    return Unpacking(
        Path.cwd(),
        most_files=job["most_members"],
        most_bytes=job["most_unpacked_bytes"],
        largest_bytes=job["largest_member_bytes"],
    )


def _shut_in(job: Job) -> None:
    """Leave network and files to others, as far as the kernel goes along."""
    from ingest.parsers import isolation, landlock

    document = Path(job["path"])
    isolation.leave_network(document)
    isolation.gain_no_powers()
    own = {PROJECT / name for name in ("ingest", "memory", job["parser"].partition(".")[0])}
    others = {Path(each) for each in sys.path} - {PROJECT}
    landlock.open_only(Path.cwd(), [document, *map(Path, job["also_reads"]), *own, *others])


def _protocol_stream() -> BinaryIO:
    """The pipe to the parent, out of reach of libraries that print: their stdout is nowhere."""
    stream = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return stream


if __name__ == "__main__":
    # Appended, not put first: nothing in the project may stand in for the standard library.
    sys.path.append(str(PROJECT))
    leave_out()
    main(json.loads(sys.argv[1]), sys.stdin.read())
