import threading
from pathlib import Path

import pytest

from memory.backends.embedding.publishing import only_writer, replace_folder


def write_new(folder: Path) -> None:
    (folder / "content").write_text("new")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "content").write_text("old")
    (folder / "extra").write_text("old")
    return folder


def test_replace_folder_makes_what_is_missing(tmp_path: Path) -> None:
    replace_folder(tmp_path / "model", write_new)

    assert (tmp_path / "model" / "content").read_text() == "new"
    assert names(tmp_path) == {"model"}


def test_replace_folder_keeps_nothing_of_the_old_one(target: Path) -> None:
    replace_folder(target, write_new)

    assert names(target) == {"content"}
    assert names(target.parent) == {"model"}


def test_replace_folder_changes_nothing_when_the_build_fails(target: Path) -> None:
    def fail(folder: Path) -> None:
        write_new(folder)
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        replace_folder(target, fail)

    assert (target / "content").read_text() == "old"
    assert names(target.parent) == {"model"}


def test_replace_folder_clears_away_what_a_killed_writer_left(target: Path) -> None:
    (target.parent / ".model.new-killed").mkdir()

    replace_folder(target, write_new)

    assert names(target.parent) == {"model"}


def test_only_writer_makes_a_second_one_wait(tmp_path: Path) -> None:
    target, order = tmp_path / "deep" / "model", []

    def second() -> None:
        with only_writer(target):
            order.append("second")

    with only_writer(target):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(timeout=0.2)
        order.append("first")
    thread.join(timeout=10)

    assert order == ["first", "second"]
