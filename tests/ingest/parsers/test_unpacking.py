from pathlib import Path

import pytest

from ingest.domain.limits import Limits
from tests.ingest.parsers.reading import unpacking_into


def files(folder: Path) -> list[int]:
    return sorted(path.stat().st_size for path in folder.rglob("held-*"))


def test_file_that_is_too_large_is_left_out_and_the_next_one_taken(tmp_path: Path) -> None:
    unpacking = unpacking_into(tmp_path, Limits(max_bytes=10))

    large = unpacking.give("a", iter([b"x" * 6] * 2))
    small = unpacking.give("b", [b"x" * 10])

    assert large.file == ""
    assert large.reason == "Is more than 10 bytes. Raise LONGHAND_MAX_UPLOAD_MB or split it."
    assert small.reason == ""
    assert files(tmp_path) == [10]


def test_files_are_left_out_once_all_together_are_too_much(tmp_path: Path) -> None:
    unpacking = unpacking_into(tmp_path, Limits(max_unpacked_bytes=10))

    told = [unpacking.give(name, [b"x" * 6]) for name in "abc"]
    last = unpacking.give("d", [b"x" * 4])

    assert [bool(each.file) for each in told] == [True, False, False]
    assert "unpacks to more than 10 bytes. Raise LONGHAND_MAX_UNPACKED_MB" in told[1].reason
    assert last.file
    assert files(tmp_path) == [4, 6]


def test_endless_file_is_stopped_at_the_limit(tmp_path: Path) -> None:
    def endless():
        while True:
            yield b"x" * 1_000

    told = unpacking_into(tmp_path, Limits(max_bytes=100_000)).give("a", endless())

    assert "LONGHAND_MAX_UPLOAD_MB" in told.reason
    assert files(tmp_path) == []


def test_file_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def broken():
        yield b"x"
        raise ValueError

    with pytest.raises(ValueError):
        unpacking_into(tmp_path).give("a", broken())

    assert files(tmp_path) == []


def test_empty_file_is_told_as_empty(tmp_path: Path) -> None:
    assert unpacking_into(tmp_path).give("a", []).reason == "The file is empty."
    assert files(tmp_path) == []


def test_number_of_files_is_bounded(tmp_path: Path) -> None:
    unpacking = unpacking_into(tmp_path, Limits(max_members=1))

    unpacking.give("a", [b"x"])

    assert unpacking.is_full
    assert "only 1 files are taken in all. Raise LONGHAND_MAX_MEMBERS" in (
        unpacking.give("b", [b"x"]).reason
    )
