"""Listing and opening below a folder: no link is followed, whenever it was made."""

import os
from pathlib import Path

import pytest

from ingest.services.safe_files import LedAway, list_files, opened_inside
from tests.powers import bound_by_rights


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file, beside one with a secret."""
    root = (tmp_path / "inside").resolve()
    (root / "deep").mkdir(parents=True)
    (root / "deep/key.txt").write_text("The key hangs behind the door.")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("not to be read")
    return root


def read(root: Path, path: str) -> bytes:
    with opened_inside(root, path) as file:
        return os.read(file, 1_000)


def test_file_is_listed_and_opened_by_its_path_in_the_folder(root):
    assert list(list_files(root).files) == ["deep/key.txt"]
    assert read(root, "deep/key.txt") == b"The key hangs behind the door."


def test_links_are_neither_listed_nor_opened(root, tmp_path):
    (root / "link.txt").symlink_to(tmp_path / "outside/secret.txt")
    (root / "way").symlink_to(tmp_path / "outside")
    (root / "own.txt").symlink_to(root / "deep/key.txt")

    assert list(list_files(root).files) == ["deep/key.txt"]
    for path in ("link.txt", "way/secret.txt", "own.txt"):
        with pytest.raises(OSError, match=r"symbolic|Not a directory"):
            read(root, path)


def test_folder_that_became_a_link_after_it_was_listed_is_not_followed(root, tmp_path):
    (root / "deep/key.txt").rename(root / "deep/secret.txt")
    assert "deep/secret.txt" in list_files(root).files
    (root / "deep").rename(root / "was")
    (root / "deep").symlink_to(tmp_path / "outside")

    with pytest.raises(OSError):
        read(root, "deep/secret.txt")


def test_root_that_became_a_link_or_lies_behind_one_is_refused(root, tmp_path):
    root.rename(tmp_path / "was")
    root.symlink_to(tmp_path / "outside")
    with pytest.raises(OSError):
        list_files(root)

    (tmp_path / "parent").symlink_to(tmp_path)
    with pytest.raises(LedAway):
        list_files(tmp_path / "parent/outside")


def test_path_that_climbs_out_is_refused(root, tmp_path):
    with pytest.raises(LedAway):
        read(root, "deep/../../outside/secret.txt")


def test_pipes_and_folders_are_no_files(root):
    os.mkfifo(root / "pipe")

    assert list(list_files(root).files) == ["deep/key.txt"]
    for path in ("pipe", "deep"):
        with pytest.raises(LedAway):
            read(root, path)


@pytest.mark.parametrize(
    "name",
    [
        ".hidden", "~$report.docx", "film.mkv.part", "paper.pdf.crdownload", "x.tmp", "X.TMP",
        "notes.txt~", ".git/config", "y.partial", "z.txt.swp", "draft.tmp/x.txt",
    ],
)  # fmt: skip
def test_hidden_and_half_written_files_are_passed_over(root, name):
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("not yet")

    assert list(list_files(root).files) == ["deep/key.txt"]


def test_pattern_chooses_by_name_and_by_path(root):
    (root / "b.md").write_text("b")
    (root / "deep/c.md").write_text("c")

    assert list(list_files(root, "*.md").files) == ["b.md", "deep/c.md"]
    assert list(list_files(root, "deep/*.md").files) == ["deep/c.md"]


def test_closed_folder_is_said_to_be_and_stops_no_other(root):
    (root / "shut").mkdir(mode=0)

    with bound_by_rights():
        listing = list_files(root)
        found = list(listing.files)

    assert found == ["deep/key.txt"]
    assert listing.closed == ["shut: Permission denied"]


def test_folders_without_end_are_left_at_some_depth(root):
    here = root
    for _ in range(130):
        here = here / "d"
        here.mkdir()
    (here / "lost.txt").write_text("too deep")

    listing = list_files(root)

    assert list(listing.files) == ["deep/key.txt"]
    assert listing.closed == ["folders more than 100 deep"]


def test_name_that_is_no_text_has_a_path_of_its_own(root):
    for name in (b"B\xfccher.txt", b"B\xfdcher.txt"):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(name)

    listing = list_files(root)

    odd = [path for path in listing.files if path.startswith("B")]
    assert odd == ["B\\xfccher.txt", "B\\xfdcher.txt"]
    assert [read(root, listing.paths[path]) for path in odd] == [b"B\xfccher.txt", b"B\xfdcher.txt"]
