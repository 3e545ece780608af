"""Threads of the web process share the arenas that memory comes from."""

import platform
import subprocess
import sys

import pytest

# Eight threads that hold memory at once, and how many arenas the C library says it has then.
COUNTED = """
import ctypes, sys, tempfile, threading
from dashboard.supervision.allocation import share_arenas
if sys.argv[1] == "shared":
    assert share_arenas()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.fopen.restype = ctypes.c_void_p
together = threading.Barrier(8)
def hold():
    together.wait()
    libc.malloc(50_000)
    together.wait()
threads = [threading.Thread(target=hold) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
with tempfile.NamedTemporaryFile("r") as told:
    file = ctypes.c_void_p(libc.fopen(told.name.encode(), b"w"))
    libc.malloc_info(0, file)
    libc.fclose(file)
    print(told.read().count("<heap "))
"""


def arenas(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, how], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has arenas to share")
def test_threads_share_two_arenas() -> None:
    assert arenas("shared") <= 2 < arenas("of their own")
