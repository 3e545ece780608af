"""The program that runs a converter: bounded, shut in, and gone when its parent is.

The kernel keeps both from the network and from all files but their folder, as far as it goes along.
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
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

PROJECT = Path(__file__).resolve().parents[2]
# Its settings, its fonts and its shell, besides what every parser may read.
_OF_CONVERTER = (
    *("/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice"),
    *("/var/cache/fontconfig", "/bin"),
)
# It names a socket there, whatever its environment says, and removes it at its end.
_SOCKETS_IN = Path("/tmp")  # noqa: S108 - no file is written there


class Order(TypedDict):
    """What the parent asks for, as the JSON of the only argument."""

    command: list[str]
    memory_bytes: int
    cpu_seconds: int
    file_bytes: int


def main(order: Order) -> int:
    """Run the command to its end, in the present folder; its exit code."""
    from ingest.parsers import isolation, landlock

    _limit(order)
    isolation.leave_network()
    isolation.gain_no_powers()
    readable = [*map(Path, _OF_CONVERTER), *_installed(Path(order["command"][0]))]
    landlock.open_only(Path.cwd(), readable, [_SOCKETS_IN])
    with subprocess.Popen(order["command"], stdin=subprocess.DEVNULL) as converter:  # noqa: S603 - ours
        threading.Thread(target=_end_with_parent, daemon=True).start()
        return converter.wait()


def _installed(program: Path) -> Iterable[Path]:
    """The program, and all that came with it where it lies as it was installed."""
    real = program.resolve()
    return [program, real, *([real.parents[1]] if real.parent.name == "program" else [])]


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
