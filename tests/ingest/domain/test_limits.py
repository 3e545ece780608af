import dataclasses
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.domain import archives
from ingest.domain.limits import Limits, check_file, readable_bytes
from ingest.domain.media_types import MEDIA_TYPES, MediaType
from ingest.domain.refusals import Rejected
from tests.data import zips

DOCX, PLAIN, ZIP = (MEDIA_TYPES[kind] for kind in ("docx", "txt", "zip"))


def container(path: Path, sizes: dict[str, int]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, size in sizes.items():
            target.writestr(name, b"A" * size)
    return path


def assert_let_through(path: Path, media_type: MediaType, limits: Limits) -> None:
    try:
        check_file(path, media_type, limits)
    except Rejected as refusal:
        pytest.fail(f"{path.name} was refused: {refusal}")


def test_check_file_lets_ordinary_file_through(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("words")

    assert_let_through(path, PLAIN, Limits())


def test_check_file_rejects_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.touch()

    with pytest.raises(Rejected, match=r"^The file is empty\.$"):
        check_file(path, PLAIN, Limits())


def test_check_file_names_size_limit_and_setting(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 2_500)
    limits = dataclasses.replace(Limits(), max_bytes=1_000)

    with pytest.raises(Rejected, match=r"Is 2\.5 kB; the limit is 1 kB\. Raise LONGHAND_MAX"):
        check_file(path, PLAIN, limits)


def test_check_file_names_unpacked_limit_and_setting(tmp_path: Path) -> None:
    path = container(tmp_path / "a.docx", {"word/document.xml": 3_000_000})
    limits = dataclasses.replace(Limits(), max_unpacked_bytes=2_000_000)

    with pytest.raises(Rejected, match=r"Unpacks to 3 MB; the limit is 2 MB\. Raise LONGHAND_MAX_"):
        check_file(path, DOCX, limits)


def test_check_file_rejects_what_expands_too_much_in_every_kind_of_container(
    tmp_path: Path,
) -> None:
    path = container(tmp_path / "a", {"word/document.xml": 30_000_000})

    for media_type_id in ("docx", "pptx", "xlsx", "odt", "epub"):
        with pytest.raises(Rejected, match=r"Expands too much: .* unpack to 30 MB"):
            check_file(path, MEDIA_TYPES[media_type_id], Limits())


def test_check_file_allows_dense_small_container(tmp_path: Path) -> None:
    path = container(tmp_path / "a.docx", {"word/document.xml": 5_000_000})

    assert_let_through(path, DOCX, Limits())


def test_read_parts_rejects_crowded_container_by_its_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_PARTS", 3)
    path = container(tmp_path / "a.docx", {str(number): 1 for number in range(4)})

    with pytest.raises(Rejected, match="more than 3 parts"):
        archives.read_parts(path)


def test_check_file_adds_up_parts_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for _ in range(2):
            with warnings.catch_warnings(action="ignore"):
                target.writestr("word/document.xml", bytes(15_000_000))

    with pytest.raises(Rejected, match=r"Expands too much: .* unpack to 30 MB"):
        check_file(path, DOCX, Limits())


def test_check_file_rejects_an_archive_that_expands_too_much(tmp_path: Path) -> None:
    path = container(tmp_path / "a.zip", {"a.txt": 30_000_000})

    with pytest.raises(Rejected, match=r"Expands too much: .* Pack or save it anew"):
        check_file(path, ZIP, Limits())


def test_check_file_lets_an_archive_through_that_is_too_much_in_all(tmp_path: Path) -> None:
    """Its first files can be taken; each other one says why it was not."""
    path = tmp_path / "a.zip"
    path.write_bytes(zips.zip_of({"a": b"x" * 3_000, "b": b"x" * 3_000}))

    assert_let_through(path, ZIP, dataclasses.replace(Limits(), max_unpacked_bytes=4_000))


def test_check_file_rejects_parts_that_share_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zips.zip_of_one_overlapping(b"x" * 1_000, 9))

    with pytest.raises(Rejected, match="its parts overlap"):
        check_file(path, ZIP, Limits())


@pytest.mark.parametrize("write", [zips.zip_of, zips.zip_streamed, zips.zip_of_64_bits])
def test_check_file_lets_ordinary_archives_through(
    write: Callable[[dict[str, bytes]], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(write({f"{place}.txt": b"words" for place in range(50)}))

    assert_let_through(path, ZIP, Limits())


def test_read_parts_tells_unpacked_sizes(tmp_path: Path) -> None:
    path = container(tmp_path / "a.docx", {"one": 10, "two": 5_000})

    assert archives.read_parts(path) == {"one": 10, "two": 5_000}


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_500, "1.5 kB"),
        (500_000_000, "500 MB"),
        (4_100_000_000, "4.1 GB"),
    ],
)
def test_readable_bytes(count: int, text: str) -> None:
    assert readable_bytes(count) == text
