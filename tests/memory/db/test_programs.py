import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.db.cluster import last_complaint, private_folder
from memory.db.errors import DatabaseFailed
from memory.db.place import Place
from memory.db.programs import owner_of, programs_for

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root's database has another owner")


@pytest.fixture
def closed_folder(place: Place) -> Iterator[Path]:
    folder = place.base.parent.parent / "closed"
    folder.mkdir(mode=0o700)
    yield folder


@as_root
def test_owner_is_not_root_when_root_runs_the_database(place: Place) -> None:
    owner = owner_of(place)

    assert owner is not None
    assert owner[0] != 0


@as_root
def test_owner_stays_when_data_has_one_already(place: Place) -> None:
    private_folder(place.base, (12345, 12345))

    assert owner_of(place) == (12345, 12345)


@as_root
def test_programs_are_copied_when_their_folder_is_closed(
    place: Place, closed_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = owner_of(place)
    installed = programs_for(place, owner).parents[1]
    for name in (installed.name, f"{installed.name}.libs"):
        (closed_folder / name).symlink_to(installed.with_name(name))
    monkeypatch.syspath_prepend(str(closed_folder))

    programs = programs_for(place, owner)

    assert place.shared is not None
    assert programs.is_relative_to(place.shared)
    assert closed_folder.stat().st_mode & 0o777 == 0o700
    for folder in (programs, *programs.parents[:3]):
        assert folder.stat().st_uid == 0
        assert folder.stat().st_mode & 0o777 == 0o755
    assert programs_for(place, owner) == programs
    answer = subprocess.run([programs / "initdb", "--version"], capture_output=True, check=True)
    assert b"PostgreSQL" in answer.stdout


@as_root
def test_folder_is_refused_when_it_belongs_to_another_user(place: Place) -> None:
    private_folder(place.base, (12345, 12345))

    with pytest.raises(DatabaseFailed, match="another user"):
        private_folder(place.base, (54321, 54321))


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        (
            "2026 [1] LOG:  starting\n2026 [1] FATAL:  could not map memory\n",
            "could not map memory",
        ),
        ("initdb: error: No space left on device\n", "No space left on device"),
        ("PANIC:  no disk\nFATAL:  the database system is starting up\n", "no disk"),
        ("nothing of note\n", "no reason was given"),
    ],
)
def test_complaint_is_the_last_reason_when_server_gives_one(output: str, complaint: str) -> None:
    assert last_complaint(output) == complaint
