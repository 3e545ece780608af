"""Landlock: the files that a parser may open, kept by the kernel for native code too.

Source: landlock(7); Linux 5.13 and later where it is switched on. No TCP from 6.7 on, no signal to
a process outside from 6.12 on.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

# The numbers are the same on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REMOVE_FILE, _MAKE_SOCKET, _TRUNCATE = 1 << 5, 1 << 9, 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
# How many rights of files each version knows.
_RIGHTS = (13, 14, 15, 15, 16)
_SINCE_TCP, _SINCE_SCOPES = 4, 6
_BOTH = 0b11

_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/lib32", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"),
    *("/etc/fonts", "/etc/mime.types", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm"),
    *("/sys/devices/system", "/sys/fs/cgroup", "/dev/urandom", "/dev/random", "/dev/zero"),
)


def open_only(folder: Path, readable: Iterable[Path], sockets_in: Iterable[Path] = ()) -> bool:
    """Let this process open its folder, what it is to read, and Python and the system alone.

    Whether the kernel keeps to it; `no_new_privs` has to be set.
    Shape: in the folders `sockets_in` it may name a socket and remove files, and read nothing.
    """
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return False
    rights = (1 << _RIGHTS[min(version, len(_RIGHTS)) - 1]) - 1
    rules = _created(call, version, rights)
    if rules < 0:
        return False
    try:
        for path in (*map(Path, _SYSTEM), *_of_python(), *readable):
            _allow(call, rules, path, _READ)
        _allow(call, rules, Path(os.devnull), (_READ | _WRITE_FILE | _TRUNCATE) & rights)
        for path in sockets_in:
            _allow(call, rules, path, _MAKE_SOCKET | _REMOVE_FILE)
        _allow(call, rules, folder, rights)
        return bool(call(_RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def _of_python() -> Iterable[Path]:
    return {Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix)}


def _created(call: "ctypes._NamedFuncPointer", version: int, rights: int) -> int:
    fields = [rights]
    if version >= _SINCE_TCP:
        fields.append(_BOTH)
    if version >= _SINCE_SCOPES:
        fields.append(_BOTH)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    made: int = call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    return made


def _allow(call: "ctypes._NamedFuncPointer", rules: int, path: Path, rights: int) -> None:
    """Add one rule; what is not there needs none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        kept = rights if path.is_dir() else rights & _OF_FILES
        call(_ADD_RULE, rules, _BENEATH, struct.pack("=Qi", kept, place), 0)
    finally:
        os.close(place)
