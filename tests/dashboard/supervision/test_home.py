import os
from pathlib import Path

import pytest

from dashboard.supervision.failures import StartFailed
from dashboard.supervision.home import lock_home, prepare_home, write_secret_key


def test_home_is_private_when_made(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"

    prepare_home(home)

    assert home.stat().st_mode & 0o777 == 0o700


def test_folder_for_uploads_is_there_before_anybody_sends_one(tmp_path: Path) -> None:
    home = tmp_path / "home"

    prepare_home(home)
    prepare_home(home)

    assert (home / "tmp").stat().st_mode & 0o777 == 0o700


def test_mode_stays_when_home_exists(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    home.chmod(0o755)

    prepare_home(home)

    assert home.stat().st_mode & 0o777 == 0o755


def test_home_is_refused_by_name_when_it_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "home"
    file.touch()

    with pytest.raises(StartFailed, match="LONGHAND_HOME"):
        prepare_home(file)


@pytest.mark.parametrize("home", ["/dev/null/home", "/proc/longhand"])
def test_home_is_refused_by_name_when_nothing_can_be_made_there(home: str) -> None:
    with pytest.raises(StartFailed, match="LONGHAND_HOME"):
        prepare_home(Path(home))


def test_home_is_refused_by_name_when_it_lies_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StartFailed, match="LONGHAND_HOME"):
        prepare_home(tmp_path / "file" / "home")


def test_second_owner_is_refused_with_process_when_home_is_locked(tmp_path: Path) -> None:
    lock = lock_home(tmp_path)

    with pytest.raises(StartFailed, match=f"process {os.getpid()}"):
        lock_home(tmp_path)

    os.close(lock)
    os.close(lock_home(tmp_path))


def test_secret_key_is_private_and_stays_when_written_twice(tmp_path: Path) -> None:
    write_secret_key(tmp_path)
    first = (tmp_path / "secret_key").read_text()

    write_secret_key(tmp_path)

    assert (tmp_path / "secret_key").read_text() == first
    assert len(first) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "secret_key.new").exists()
