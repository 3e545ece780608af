"""What the child program takes away from itself before any parser is imported."""

import ctypes
import importlib.util
import os
import resource
import signal
import sys
from functools import cache
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_TEMPORARY_FILE_BYTES = 64_000_000
_OPEN_FILES = 256
_CPU_GRACE_SECONDS = 2

# Every way Python offers to reach another machine or to start another program.
_REFUSED_EVENTS = frozenset(
    (
        "socket.__new__",
        "socket.bind",
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyaddr",
        "socket.gethostbyname",
        "socket.getnameinfo",
        "socket.sendmsg",
        "socket.sendto",
        "urllib.Request",
        "subprocess.Popen",
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.system",
        "pty.spawn",
    )
)


class ConfinementError(PermissionError):
    """A parser tried to reach the network or to start another program."""


def die_with(parent_pid: int) -> None:
    """Have the kernel kill this process when the thread that started it ends.

    Raises: SystemExit if the parent is gone already.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # The parent may have died before the call above, which then will never fire.
    if os.getppid() != parent_pid:
        raise SystemExit("The parent process is gone.")


def limit_resources(
    *, memory_bytes: int, cpu_seconds: int, spare_cpu_seconds: int = 0, held_file_bytes: int = 0
) -> None:
    """Bound memory, CPU time, files and core dumps for the rest of this process's life.

    Units: `spare_cpu_seconds` is what `allow_more_cpu` may add in all; `held_file_bytes` what
        `allow_files_of` may.
    """
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, max(_TEMPORARY_FILE_BYTES, held_file_bytes))
    ceiling = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(_TEMPORARY_FILE_BYTES, ceiling), ceiling))
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _lower(resource.RLIMIT_AS, memory_bytes)
    # The soft limit sends SIGXCPU, which names the cause; the hard one cannot be caught.
    ceiling = cpu_seconds + spare_cpu_seconds + _CPU_GRACE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, ceiling))


def allow_more_cpu(seconds: int) -> None:
    """Raise the bound of CPU time, up to the spare that was set aside at first."""
    soft, ceiling = resource.getrlimit(resource.RLIMIT_CPU)
    raised = min(soft + seconds, ceiling - _CPU_GRACE_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (raised, ceiling))


def allow_files_of(size_bytes: int) -> None:
    """Raise the bound of a file's size, up to the one that was set aside at first."""
    soft, ceiling = resource.getrlimit(resource.RLIMIT_FSIZE)
    if ceiling != resource.RLIM_INFINITY:
        raised = max(soft, min(size_bytes, ceiling))
        resource.setrlimit(resource.RLIMIT_FSIZE, (raised, ceiling))


def refuse_network_and_programs() -> None:
    """Refuse sockets, name look-ups and new programs to all Python code run from here on.

    One program is let through, as long as it is called in its own sandbox.
    """
    sys.addaudithook(_refuse)


@cache
def permitted_program() -> tuple[str, ...]:
    """How a call of Pandoc begins: its path, and the order to reach no file and no address."""
    package = importlib.util.find_spec("pypandoc")
    if package is None or package.origin is None:
        raise ConfinementError("Pandoc is not installed.")
    return str(Path(package.origin).with_name("files") / "pandoc"), "--sandbox"


def _lower(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (ceiling, ceiling))


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _REFUSED_EVENTS:
        return
    if event == "subprocess.Popen" and _is_permitted(*arguments[:2]):
        return
    raise ConfinementError(f"A parser may not do this: {event}.")


def _is_permitted(program: object, words: object) -> bool:
    permitted = permitted_program()
    if program != permitted[0] or not isinstance(words, list):
        return False
    return tuple(words[: len(permitted)]) == permitted
