"""Formats that Pandoc reads: it makes a page of them, which is read as any other.

Pandoc is a program of its own and the only one that a parser may start. Its sandbox keeps it from
every file and address that a document names; the limits of the child hold for it too.
"""

import os
import signal
import subprocess
from functools import partial
from pathlib import Path

from ingest.domain.elements import Element
from ingest.domain.refusals import DAMAGED
from ingest.parsers import confinement
from ingest.parsers.html import read_page
from memory.domain.errors import Permanent

_TEMPLATE = Path(__file__).with_suffix(".html")
_OUT_OF_MEMORY = 251


def read_by_pandoc(content: bytes, source: str) -> list[Element]:
    """The headings, paragraphs, items, tables and code of a document in one of Pandoc's formats.

    Raises: Permanent if it cannot be read; MemoryError.
    """
    return read_page(_converted(content, source))


def _converted(content: bytes, source: str) -> str:
    arguments = [
        f"--from={source}",
        "--to=html",
        f"--template={_TEMPLATE}",
        "--wrap=none",
        "--no-highlight",
    ]
    run = subprocess.run(  # noqa: S603 - the one program that is permitted, in its sandbox
        [*confinement.permitted_program(), *arguments],
        input=content,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=partial(confinement.die_with, os.getpid()),
        check=False,
    )
    if run.returncode == -signal.SIGXCPU:
        raise Permanent(
            "Took too long to convert. Raise LONGHAND_PARSE_CPU_SECONDS or split the file."
        )
    if run.returncode == _OUT_OF_MEMORY:
        raise MemoryError
    if run.returncode:
        raise Permanent(DAMAGED)
    return run.stdout.decode()
