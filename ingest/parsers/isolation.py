"""What the kernel takes from a parser where it can: network, sockets of this host, powers, files.

Namespaces and Landlock hold for native code too, which never asks Python. What a kernel refuses is
left as it was; the caller is told.
"""

import contextlib
import ctypes
import os
import stat
import sys
from pathlib import Path

_CLONE_NEWNS, _CLONE_NEWUSER, _CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000
_MS_BIND, _MS_REC, _MS_PRIVATE = 4096, 16384, 1 << 18
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_CAPABILITY_VERSION = 0x20080522
_MOST_CAPABILITIES = 64
_SOCKETS = Path("/proc/net/unix")
_SOCKET_FIELDS = 8


def leave_network(path: Path | None = None) -> bool:
    """Go where there is no network and no named socket of this host; whether both are out of reach.

    All powers of a superuser are given up with it, unless `path` can be read by nobody else.
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    sockets = _named_sockets()
    user, group = os.getuid(), os.getgid()
    if not _needs_powers(path) and libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET | _CLONE_NEWNS) == 0:
        _keep_own_name(user, group)
        is_covered = _cover(libc, sockets)
        _give_up_powers(libc)
        return is_covered
    # Without a namespace of users, only a superuser may.
    if libc.unshare(_CLONE_NEWNET | _CLONE_NEWNS) == 0:
        return _cover(libc, sockets)
    return False


def gain_no_powers() -> None:
    """Have no program that is started from here on run as anybody else."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _needs_powers(path: Path | None) -> bool:
    """Whether the file is shut to its reader but for the powers of a superuser."""
    if path is None or os.geteuid() != 0:
        return False
    found = path.stat()
    own = stat.S_IRUSR if found.st_uid == 0 else stat.S_IROTH
    return not found.st_mode & own


def _named_sockets() -> list[bytes]:
    """The sockets of this host that have a place in the file system: a database, a bus."""
    try:
        lines = _SOCKETS.read_bytes().splitlines()
    except OSError:
        return []
    rows = (line.split(maxsplit=_SOCKET_FIELDS - 1) for line in lines)
    names = {row[-1] for row in rows if len(row) == _SOCKET_FIELDS}
    return [name for name in names if name.startswith(b"/")]


def _cover(libc: ctypes.CDLL, sockets: list[bytes]) -> bool:
    """Put a device that nobody listens at in their place, for this process alone; whether all are.

    Nothing is covered where the mounts stay shared: the whole host would lose its sockets.
    """
    if libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) != 0:
        return False
    for name in sockets:
        libc.mount(b"/dev/null", name, None, _MS_BIND, None)
    return not any(map(_is_socket, sockets))


def _is_socket(name: bytes) -> bool:
    """Whether there is a way to the socket; what cannot be looked at cannot be called either."""
    try:
        return stat.S_ISSOCK(os.stat(name).st_mode)  # noqa: PTH116 - a name of bytes
    except OSError:
        return False


def _keep_own_name(user: int, group: int) -> None:
    """A program looks up who it runs as."""
    maps = {"uid_map": f"{user} {user} 1", "setgroups": "deny", "gid_map": f"{group} {group} 1"}
    for name, line in maps.items():
        with contextlib.suppress(OSError):
            Path("/proc/self", name).write_text(line, encoding="ascii")


def _give_up_powers(libc: ctypes.CDLL) -> None:
    for capability in range(_MOST_CAPABILITIES):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    head = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    libc.capset(head, (ctypes.c_uint32 * 6)())
