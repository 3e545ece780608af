"""The program that runs a converter: bounded, without network, and gone when its parent is.

It leads a process group of its own. When the converter ends, it ends with its code; when the
standard input does, because the parent has ended or wants no more, it ends the whole group.

Run by path under `python -I`, as the child that parses is.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TypedDict

PROJECT = Path(__file__).resolve().parents[2]


class Order(TypedDict):
    """What the parent asks for, as the JSON of the only argument."""

    command: list[str]
    memory_bytes: int
    cpu_seconds: int
    file_bytes: int


def main(order: Order) -> int:
    """Run the command to its end; its exit code."""
    from ingest.parsers import isolation

    _limit(order)
    isolation.leave_network()
    isolation.gain_no_powers()
    with subprocess.Popen(order["command"], stdin=subprocess.DEVNULL) as converter:  # noqa: S603 - ours
        threading.Thread(target=_end_with_parent, daemon=True).start()
        return converter.wait()


def _limit(order: Order) -> None:
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: order["memory_bytes"],
        resource.RLIMIT_CPU: order["cpu_seconds"],
        resource.RLIMIT_FSIZE: order["file_bytes"],
    }
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        ceiling = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (ceiling, ceiling))


def _end_with_parent() -> None:
    # Not by the stream: it would be locked by this thread when the program ends.
    while os.read(0, 1):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    # Appended, not put first: nothing in the project may stand in for the standard library.
    sys.path.append(str(PROJECT))
    raise SystemExit(main(json.loads(sys.argv[1])))
