"""The rights of files bind a superuser too, for as long as a test needs it."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

_LIBC = ctypes.CDLL(None, use_errno=True)
_VERSION_3 = 0x20080522
_BEYOND_RIGHTS = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH

# Before a command: what it starts is bound as well.
BOUND_BY_RIGHTS = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
)


@contextmanager
def bound_by_rights() -> Iterator[None]:
    """Inside, this thread reads and writes only what the rights of files let it."""
    before = _powers()
    low, *others = before
    _set_powers([low & ~_BEYOND_RIGHTS, *others])
    try:
        yield
    finally:
        _set_powers(before)


def _powers() -> list[int]:
    """What this thread may do now, may do and may hand on; twice, the lower numbers first."""
    powers = (ctypes.c_uint32 * 6)()
    _call("capget", powers)
    return list(powers)


def _set_powers(powers: list[int]) -> None:
    _call("capset", (ctypes.c_uint32 * 6)(*powers))


def _call(name: str, powers: "ctypes.Array[ctypes.c_uint32]") -> None:
    head = (ctypes.c_uint32 * 2)(_VERSION_3, 0)  # 0 is the calling thread
    if getattr(_LIBC, name)(head, powers) != 0:
        raise OSError(ctypes.get_errno(), f"{name} failed")
