import os
from pathlib import Path

import pytest

from memory.db.place import LONGEST_SOCKET_PATH, place_of

SHARED = Path("/var/lib/longhand")


def test_places_differ_when_homes_differ() -> None:
    first, second = place_of(Path("/srv/a")), place_of(Path("/srv/b"))

    assert first.data != second.data
    assert first.sockets != second.sockets
    assert place_of(Path("/srv/a")) == first


def test_data_is_outside_home_when_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    place = place_of(Path("/srv/longhand"))

    assert place.data.parent.parent == SHARED
    assert place.shared == SHARED


def test_data_is_in_home_when_not_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    place = place_of(tmp_path)

    assert place.data == tmp_path / "pg"
    assert place.shared is None


def test_socket_path_stays_short_when_home_is_long() -> None:
    folder = Path("/srv") / ("x" * 120)

    place = place_of(folder, root_folder=folder)

    assert len(os.fsencode(place.sockets / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH
    assert place.sockets != place_of(folder / "other", root_folder=folder).sockets
