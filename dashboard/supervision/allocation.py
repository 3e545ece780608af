"""How the C library hands out memory to threads."""

import ctypes

# glibc's number for it in `mallopt`, and enough for the requests that run at once.
_ARENA_MAX = -8
_ARENAS = 2


def share_arenas() -> bool:
    """Let threads share arenas of memory: each of its own would keep megabytes that others free.

    False where the C library has no such setting, and leaves it as it is.
    Side effects: for the whole process; arenas that are there already stay.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_ARENA_MAX, _ARENAS) == 1
