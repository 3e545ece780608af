"""Which host this is, told apart from others of the same name."""

import hashlib
import socket
from functools import cache
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
PROCESS_NUMBERS = Path("/proc/self/ns/pid")


@cache
def host_name() -> str:
    """The host's name and a mark of where its process ids count.

    Containers may share a name, and then one must not ask its own system for the other's process.
    """
    mark = _mark(BOOT_ID, PROCESS_NUMBERS)
    return f"{socket.gethostname()}-{mark}" if mark else socket.gethostname()


def _mark(boot_id: Path, process_numbers: Path) -> str:
    try:
        running = f"{boot_id.read_text().strip()} {process_numbers.stat().st_ino}"
    except OSError:
        return ""  # this system keeps neither, so its name has to do
    return hashlib.sha256(running.encode()).hexdigest()[:8]
