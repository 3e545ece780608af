"""A parser that does what its document's text names; only the child program ever runs it."""

import ctypes
import importlib
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.confinement import permitted_program
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.unpacking import HeldFile


def _text(text: str) -> Element:
    return Element(ElementKind.TEXT, text, 1, ())


def sleep() -> Iterator[Element | Pages]:
    yield _text(str(os.getpid()))
    yield Pages(0, 1)
    time.sleep(60)


def fork_and_sleep() -> Iterator[Element | Pages]:
    # Past Python, as native code of a parser could.
    if ctypes.CDLL(None).fork() == 0:
        time.sleep(60)
    yield from sleep()


def fork_and_end() -> Iterator[Element | Pages]:
    if ctypes.CDLL(None).fork() == 0:
        time.sleep(60)
    yield _text(str(os.getpid()))


def leave_file_and_sleep() -> Iterator[Element | Pages]:
    Path(tempfile.gettempdir(), "left-behind").write_text("x")
    yield from sleep()


def fill_memory() -> Iterator[Element | Pages]:
    blocks = [bytearray(10_000_000) for _ in range(1_000)]
    yield _text(str(len(blocks)))


def fill_memory_past_python() -> Iterator[Element | Pages]:
    # The operator `new`, whose exception nobody catches.
    new = ctypes.CDLL("libstdc++.so.6")._Znwm
    new(ctypes.c_size_t(10**15))
    yield _text("there was room")


def burn_cpu() -> Iterator[Element | Pages]:
    yield Pages(0, 1)
    while True:
        pass


def segfault() -> Iterator[Element | Pages]:
    yield _text("before the crash")
    os.kill(os.getpid(), signal.SIGSEGV)


def kill_itself() -> Iterator[Element | Pages]:
    yield _text("before the kill")
    os.kill(os.getpid(), signal.SIGKILL)


def abort() -> Iterator[Element | Pages]:
    yield _text("before the abort")
    os.abort()


def raise_error() -> Iterator[Element | Pages]:
    yield _text("before the error")
    logging.getLogger("library").error("the words of the document")
    warnings.warn("the words of the document", stacklevel=1)
    sys.stdout.write("the words of the document")
    try:
        raise LookupError("the words of the document")
    except LookupError as error:
        raise RuntimeError("the words of the document") from error


def end_early() -> Iterator[Element | Pages]:
    yield _text("before the end")
    os._exit(3)


def connect() -> Iterator[Element | Pages]:
    with socket.socket() as sock:
        sock.connect(("127.0.0.1", 9))
    yield _text("connected")


def look_up_name() -> Iterator[Element | Pages]:
    yield _text(str(socket.getaddrinfo("localhost", 80)))


def start_program() -> Iterator[Element | Pages]:
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    yield _text("started")


def start_pandoc_at_large() -> Iterator[Element | Pages]:
    program, _sandbox = permitted_program()
    subprocess.run([program, "--version"], check=True)
    yield _text("started")


def print_noise() -> Iterator[Element | Pages]:
    sys.stdout.write('["element","text","printed",null,[]]\n')
    sys.stdout.flush()
    os.write(1, b'["end"]\nnoise')
    yield _text("the real text")


def send_garbage() -> Iterator[Element | Pages]:
    yield _text("before the garbage")
    for descriptor in range(3, 12):
        try:
            os.write(descriptor, b"{not json\n")
        except OSError:
            continue
    time.sleep(60)


def flood() -> Iterator[Element | Pages]:
    while True:
        yield _text("x" * 10_000)


def count_pages() -> Iterator[Element | Pages]:
    yield Pages(0, 5_000)
    time.sleep(60)


def announce_slow_pages() -> Iterator[Element | Pages | SlowPage]:
    while True:
        yield SlowPage()


def take_a_second_for_a_slow_page() -> Iterator[Element | Pages | SlowPage]:
    yield Pages(0, 1)
    yield SlowPage()
    deadline = time.process_time() + 1.2
    while time.process_time() < deadline:
        pass
    yield _text("read at last")


def write_large_file() -> Iterator[Element | Pages]:
    with Path(tempfile.gettempdir(), "large").open("wb") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)
    yield _text("written")


def tell_environment() -> Iterator[Element | Pages]:
    yield _text(" ".join(sorted(os.environ)))
    yield _text(os.environ["HOME"])


def import_torch() -> Iterator[Element | Pages]:
    yield _text("present" if find_torch() else "absent")


def find_torch() -> bool:
    try:
        importlib.import_module("torch")
    except ImportError:
        return False
    return True


def nest_deeply() -> Iterator[Element | Pages]:
    def descend() -> None:
        descend()

    descend()
    yield _text("back again")


def give_a_file() -> Iterator[HeldFile]:
    Path("held-0").write_text("words")
    yield HeldFile("../../a.txt", "held-0")
    yield HeldFile("b.txt", "", "Why not.")


def give_a_file_and_put_a_link_in_its_place() -> Iterator[HeldFile | Element]:
    path = Path("held-0")
    path.write_text("words")
    yield HeldFile("a.txt", path.name)
    deadline = time.monotonic() + 5
    while path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    path.symlink_to("/etc/passwd")
    yield _text("done")


def give_a_link() -> Iterator[HeldFile]:
    Path("held-0").symlink_to("/etc/passwd")
    yield HeldFile("a.txt", "held-0")


def give_another_name_of_a_file() -> Iterator[HeldFile]:
    Path("original").write_text("words")
    os.link("original", "held-0")
    yield HeldFile("a.txt", "held-0")


def give_a_folder() -> Iterator[HeldFile]:
    Path("held-0").mkdir()
    yield HeldFile("a.txt", "held-0")


def give_what_is_not_there() -> Iterator[HeldFile]:
    yield HeldFile("a.txt", "held-0")


def give_what_lies_elsewhere() -> Iterator[HeldFile]:
    yield HeldFile("a.txt", "../../../../etc/passwd")


def give_the_same_file_without_end() -> Iterator[HeldFile]:
    Path("held-0").write_text("words")
    while True:
        yield HeldFile("a.txt", "held-0")


def show_nothing() -> Iterator[Element | Pages]:
    yield _text(" \u200b\x00 ")


def show_controls() -> Iterator[Element | Pages]:
    yield Element(ElementKind.TEXT, "a\x00b\x07c \ud800", 2, ("he\x00ading",))


def parse(path: Path) -> Iterator[Element | Pages]:
    """Do what the document says."""
    behaviour = globals()[path.read_text().strip()]
    yield from behaviour()
