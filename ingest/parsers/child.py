"""The program that parses one document, alone: file in, JSON lines out.

A password comes by the standard input: arguments and environment can be read by others.

Run by path under `python -I`: the folder of this file, whose `html.py` would stand in for the
standard one, never enters the import path.
"""

import json
import os
import sys
from pathlib import Path
from typing import BinaryIO, TypedDict

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


def main(job: Job, password: str) -> None:
    """Confine this process, then send what the parser finds; an unforeseen error ends it."""
    # Appended, not put first: nothing in the project may stand in for the standard library.
    sys.path.append(str(PROJECT))
    # Imported by libraries in passing, it would cost a second and half a gigabyte; nobody needs it.
    sys.modules["torch"] = None  # type: ignore[assignment]
    from ingest.parsers import confinement, last_words, transmission

    last_words.quote_no_document()
    confinement.die_with(job["parent_pid"])
    slow_page_seconds = job["slow_page_seconds"]
    confinement.limit_resources(
        memory_bytes=job["memory_bytes"],
        cpu_seconds=job["cpu_seconds"],
        spare_cpu_seconds=job["slow_pages"] * slow_page_seconds,
    )
    confinement.refuse_network_and_programs()
    with _protocol_stream() as stream:
        transmission.send_document(
            Path(job["path"]),
            job["parser"],
            stream,
            slow_page_seconds=slow_page_seconds,
            password=password,
        )


def _protocol_stream() -> BinaryIO:
    """The pipe to the parent, out of reach of libraries that print: their stdout is nowhere."""
    stream = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return stream


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.stdin.read())
