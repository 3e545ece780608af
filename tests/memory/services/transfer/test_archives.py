"""Archives that are cut short, changed, or made to do harm."""

import json
import os
import zipfile
from pathlib import Path

import pytest

from memory.domain.errors import InvalidInput
from memory.services.transfer.archives import new_folder, new_zip
from memory.services.transfer.opening import open_archive

FORM = {"format": "letters", "version": 1}


def opened(path: Path):
    return open_archive(path, form="letters", version=1)


@pytest.fixture(params=["zip", "folder"])
def letters(request, tmp_path) -> Path:
    path = tmp_path / f"letters.{request.param}"
    making = new_zip(path, compressed=True) if request.param == "zip" else new_folder(path)
    with making as sink:
        with sink.member("people/one.txt") as target:
            target.write(b"Dear Nora,")
            target.write(b" yours, Ines")
        sink.finish(FORM)
    return path


def test_archive_gives_back_what_was_written(letters):
    with opened(letters) as archive:
        archive.verify()
        with archive.open("people/one.txt") as member:
            assert member.read() == b"Dear Nora, yours, Ines"


def test_archive_appears_only_when_it_is_whole(tmp_path):
    for making in (new_zip(tmp_path / "a.zip", compressed=False), new_folder(tmp_path / "a")):
        with pytest.raises(OSError, match="No space"), making as sink:
            with sink.member("one") as target:
                target.write(b"begun")
            raise OSError(28, "No space left on device")

    assert list(tmp_path.iterdir()) == []


def test_folder_with_another_content_is_damaged(tmp_path):
    with new_folder(tmp_path / "a") as sink:
        with sink.member("one") as target:
            target.write(b"Dear Nora")
        sink.finish(FORM)
    (tmp_path / "a" / "one").write_bytes(b"Dear Ines")

    with opened(tmp_path / "a") as archive, pytest.raises(InvalidInput, match="another checksum"):
        archive.verify()


def test_folder_with_a_link_is_refused(tmp_path):
    with new_folder(tmp_path / "a") as sink:
        sink.finish(FORM)
    (tmp_path / "a" / "one").symlink_to("/etc/passwd")

    with pytest.raises(InvalidInput, match="is a link"), opened(tmp_path / "a"):
        pass


def manifest(**members: float) -> str:
    told = {name: {"sha256": "0", "size_bytes": size} for name, size in members.items()}
    return json.dumps({**FORM, "members": told})


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({}, "no manifest.json"),
        ({"manifest.json": "{"}, "no JSON"),
        ({"manifest.json": "[" * 100_000}, "no JSON"),
        ({"manifest.json": "[]"}, "no JSON object"),
        ({"manifest.json": json.dumps(FORM)}, "names no members"),
        ({"manifest.json": json.dumps({**FORM, "members": {"one": 1}})}, "describes a member"),
        ({"manifest.json": manifest(one=1e999)}, "describes a member"),
        ({"manifest.json": manifest(one=3)}, "one is missing"),
        ({"manifest.json": manifest(one=3), "one": "four"}, "another size"),
        ({"manifest.json": manifest(), "one": "extra"}, "does not name"),
        ({"manifest.json": manifest(), "../one": "outside"}, "somewhere else"),
        ({"manifest.json": manifest(), "/etc/one": "outside"}, "somewhere else"),
        ({"manifest.json": manifest(), "a\\b": "outside"}, "somewhere else"),
        ({"manifest.json": manifest(), "bomb": "0" * 60_000_000}, "unpacks to too much"),
        ({"manifest.json": json.dumps({**FORM, "version": 2})}, "Upgrade"),
        ({"manifest.json": json.dumps({**FORM, "format": "songs"})}, "is no letters"),
    ],
)
def test_zip_that_is_not_what_it_says_is_refused(tmp_path, entries, sentence):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)

    with pytest.raises(InvalidInput, match=sentence), opened(path):
        pass


def test_manifest_that_names_a_path_outside_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "manifest.json").write_text(
        json.dumps({**FORM, "members": {"../secret": {"sha256": "0", "size_bytes": 1}}})
    )

    with pytest.raises(InvalidInput, match="somewhere else"), opened(tmp_path / "a"):
        pass


def test_file_that_is_no_zip_is_refused(tmp_path):
    (tmp_path / "a.zip").write_bytes(os.urandom(500))

    with pytest.raises(InvalidInput, match="no zip archive"), opened(tmp_path / "a.zip"):
        pass


def test_zip_with_a_password_is_refused(tmp_path):
    with new_zip(tmp_path / "a.zip", compressed=True) as sink:
        sink.finish(FORM)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(content)

    with pytest.raises(InvalidInput, match="with a password"), opened(tmp_path / "a.zip"):
        pass


def test_zip_whose_packed_bytes_are_damaged_is_refused(tmp_path):
    with new_zip(tmp_path / "a.zip", compressed=True) as sink:
        with sink.member("one") as target:
            target.write(b"Dear Nora, yours, Ines. " * 40)
        sink.finish(FORM)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    packed = content.index(b"one") + len(b"one") + 20  # behind the name and the long sizes
    content[packed : packed + 8] = b"\xff" * 8
    (tmp_path / "a.zip").write_bytes(content)

    with pytest.raises(InvalidInput, match="damaged"), opened(tmp_path / "a.zip") as archive:
        archive.verify()


def test_zip_that_was_cut_short_is_refused(tmp_path):
    with new_zip(tmp_path / "a.zip", compressed=False) as sink:
        with sink.member("one") as target:
            target.write(b"Dear Nora" * 100)
        sink.finish(FORM)
    content = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(content[: len(content) // 2])

    with pytest.raises(InvalidInput, match="no zip archive"), opened(tmp_path / "a.zip"):
        pass
