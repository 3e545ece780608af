"""A host is told apart from others of its name by where its process ids count."""

import socket
from pathlib import Path

from memory.services.hosts import _mark, host_name


def host_of(folder: Path, boot_id: str) -> str:
    boot = folder / f"{boot_id}.boot"
    boot.write_text(boot_id)
    numbers = folder / f"{boot_id}.pid"
    numbers.touch()
    return _mark(boot, numbers)


def test_host_keeps_its_name_and_adds_a_mark():
    name, _, mark = host_name().rpartition("-")

    assert name == socket.gethostname()
    assert len(mark) == 8
    assert host_name() == f"{name}-{mark}"


def test_marks_of_two_systems_differ(tmp_path):
    assert host_of(tmp_path, "one") != host_of(tmp_path, "two")


def test_marks_of_two_containers_of_one_system_differ(tmp_path):
    boot, first, second = (tmp_path / name for name in ("boot", "first", "second"))
    for file in (boot, first, second):
        file.touch()

    assert _mark(boot, first) != _mark(boot, second)


def test_system_that_keeps_neither_has_no_mark(tmp_path):
    assert _mark(tmp_path / "none", tmp_path / "none") == ""
