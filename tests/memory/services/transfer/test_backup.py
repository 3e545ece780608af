"""A backup and its way back: every row of every table, and every byte of every file."""

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from memory.db.errors import DatabaseFailed
from memory.domain.errors import InvalidInput
from memory.models import FactHistory, Principal, User, WorkerBeat, across_owners, acting_as
from memory.services.facts import correct_fact
from memory.services.health import check_migrations
from memory.services.transfer.backup import make_backup
from memory.services.transfer.restore import restore_backup
from memory.services.workers import heartbeat
from tests.fixtures import add_document, remember
from tests.furnished import (
    empty_database,
    every_column,
    every_file,
    every_row,
    keep_files_in,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
# The first three were published together: no installation ever stood at one of them.
EARLIER = sorted(
    name
    for app, name in MigrationLoader(None).disk_migrations or {}
    if app == "memory" and name >= "0003"
)[:-1]


@pytest.fixture
def backup(furnished, tmp_path, settings) -> Path:
    (settings.LONGHAND_HOME / "secret_key").write_text("the key that signs")
    make_backup(tmp_path / "all.zip", with_keys=True)
    return tmp_path / "all.zip"


@pytest.fixture
def small_backup(own_files, alice, tmp_path, settings) -> Path:
    """Of one account and one document, for what does not depend on the rows."""
    (settings.LONGHAND_HOME / "secret_key").write_text("the key that signs")
    add_document(alice, "notes.txt", text="The keys are at Nora's.")
    make_backup(tmp_path / "all.zip", with_keys=True)
    return tmp_path / "all.zip"


def counted_by_the_server(table: str) -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [table])
        row = cursor.fetchone()
    assert row
    return row[0]


def test_backup_brings_back_every_row_and_file_in_an_empty_place(
    furnished, backup, tmp_path, settings
):
    rows, files = every_row(), every_file()
    settings.LONGHAND_HOME = tmp_path / "new"
    settings.LONGHAND_HOME.mkdir()
    keep_files_in(settings, tmp_path / "new-files")

    with empty_database():
        restore_backup(backup, replace=False)

        restored = every_row()
        assert restored == rows
        assert sum(map(len, rows.values())) > 50
        assert len(rows["memory_facthistory"]) > len(rows["memory_fact"])
        assert every_file() == files != {}
        assert counted_by_the_server("memory_fact") == len(rows["memory_fact"])
        key = settings.LONGHAND_HOME / "secret_key"
        assert key.read_text() == "the key that signs"
        assert key.stat().st_mode & 0o777 == 0o600

        kept = remember(furnished, "Said after the way back.")
        with acting_as(Principal(furnished)) as principal:
            correct_fact(principal=principal, fact_id=kept.pk, changes={"text": "Said later."})
        with across_owners():
            assert FactHistory.objects.of(kept.pk).count() == 2


@dataclass(frozen=True, slots=True)
class Earlier:
    """A backup that an earlier Longhand made, and every row that it had."""

    archive: Path
    rows: dict[str, list[str]]
    columns: dict[str, list[str]]


@pytest.fixture(scope="module")
def made_earlier() -> dict[str, Earlier]:
    """By the last migration of each: made by the first test that asks, for all of them."""
    return {}


@pytest.fixture
def earlier(
    migration: str,
    made_earlier: dict[str, Earlier],
    own_files: Path,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Earlier:
    if not made_earlier:
        newest = request.getfixturevalue("backup")
        made_earlier.update(gone_back_from(newest, tmp_path_factory.mktemp("earlier")))
    return made_earlier[migration]


def gone_back_from(newest: Path, folder: Path) -> dict[str, Earlier]:
    """A backup at every step of one way back.

    Every other app stands where it stands now, as where only Longhand was upgraded since.
    """
    made = {}
    with empty_database():
        restore_backup(newest, replace=True)
        for migration in reversed(EARLIER):
            call_command("migrate", "memory", migration, verbosity=0)
            archive = folder / f"{migration}.zip"
            made[migration] = Earlier(archive, every_row(), every_column())
            make_backup(made[migration].archive, with_keys=False)
    return made


@pytest.mark.parametrize("migration", EARLIER)
def test_backup_of_an_earlier_longhand_is_brought_up_to_this_one(earlier: Earlier) -> None:
    with empty_database():
        restore_backup(earlier.archive, replace=True)

        rows, restored = dict(earlier.rows), every_row(earlier.columns)
        assert check_migrations().state == "ok"
        assert rows.pop("django_migrations") != restored["django_migrations"]
        rows.pop("sequences")
        states = rows.pop("memory_facthistory")
        assert len(restored["memory_facthistory"]) == len(states) > 5
        with across_owners():
            latest = FactHistory.objects.order_by("pgh_obj", "-pgh_id").distinct("pgh_obj")
            assert all(labels_of(state) == labels_of(state.pgh_obj) for state in latest)
        assert {table: restored[table] for table in rows} == rows
        assert sum(map(len, rows.values())) > 50
        assert rows["account_emailaddress"] == []


def labels_of(row):
    names = ("why", "tags", "shelf", "importance", "decay_class", "pinned")
    return {name: getattr(row, name) for name in names}


def test_workers_of_where_the_backup_was_made_are_not_restored(own_files, alice, tmp_path):
    heartbeat(name="quick of the old machine", pid=1)
    make_backup(tmp_path / "all.zip", with_keys=False)

    with empty_database():
        restore_backup(tmp_path / "all.zip", replace=False)

        assert not WorkerBeat.objects.exists()
        assert User.objects.filter(pk=alice.pk).exists()
    assert WorkerBeat.objects.count() == 1


def test_backup_that_cannot_be_brought_up_is_in_place_and_says_so(small_backup, tmp_path):
    with empty_database():
        restore_backup(small_backup, replace=True)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '0004_audit_entries'")
        make_backup(tmp_path / "torn.zip", with_keys=False)

        with empty_database(), pytest.raises(DatabaseFailed) as caught:
            restore_backup(tmp_path / "torn.zip", replace=True)

    assert "The backup is in place, but the step to this version failed" in str(caught.value)
    assert "memory.0004_audit_entries" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_restore_gives_up_what_is_there_only_when_told_to(furnished, backup, settings, tmp_path):
    rows, files = every_row(), every_file()
    with empty_database():
        restore_backup(backup, replace=True)
        remember(furnished, "Only in the second place.")
        add_document(furnished, "later.txt")

        with pytest.raises(InvalidInput, match="--replace"):
            restore_backup(backup, replace=False)
        assert len(every_file()) == len(files) + 1

        restore_backup(backup, replace=True)
        assert every_row() == rows
        assert every_file() == files


def test_restore_that_the_database_refuses_changes_nothing(small_backup, tmp_path):
    """The tables stand in the way of a view, which is dropped, and of a type, which is not."""
    with empty_database():
        with connection.cursor() as cursor:
            cursor.execute("CREATE TYPE memory_fact AS (something integer)")
        lost = next(iter(every_file()))
        Path(tmp_path / "files" / lost).unlink()

        with pytest.raises(DatabaseFailed, match="already exists"):
            restore_backup(small_backup, replace=False)

        assert every_row() == {"sequences": []}
        assert lost not in every_file()


def test_restore_refuses_while_somebody_uses_the_database(small_backup):
    with empty_database():
        other = connection.copy()
        other.ensure_connection()
        try:
            with pytest.raises(InvalidInput, match="Stop Longhand"):
                restore_backup(small_backup, replace=False)
        finally:
            other.close()


def test_backup_is_private_and_never_takes_a_name_that_is_taken(small_backup):
    before = small_backup.read_bytes()

    with pytest.raises(InvalidInput, match="exists already"):
        make_backup(small_backup, with_keys=True)

    assert small_backup.read_bytes() == before
    assert small_backup.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in small_backup.parent.glob("*.zip*")) == ["all.zip"]


def test_backup_that_fails_leaves_no_half_file(alice, own_files, tmp_path, monkeypatch):
    name = connection.settings_dict["NAME"]
    connection.ensure_connection()
    with monkeypatch.context() as patched:
        patched.setitem(connection.settings_dict, "NAME", f"{name}_that_is_not_there")
        with pytest.raises(DatabaseFailed, match="does not exist"):
            make_backup(tmp_path / "all.zip", with_keys=False)

    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == []


def test_backup_without_its_key_holds_none(alice, own_files, tmp_path, settings):
    (settings.LONGHAND_HOME / "secret_key").write_text("the key that signs")

    make_backup(tmp_path / "all.zip", with_keys=False)

    # Packed, the words would not be found whether or not they are there.
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert held
    assert [name for name, content in held.items() if b"the key that signs" in content] == []


def test_restore_refuses_a_backup_with_one_changed_byte(small_backup):
    content = bytearray(small_backup.read_bytes())
    content[content.index(b"The keys are at")] ^= 1
    small_backup.write_bytes(content)

    with empty_database():
        with pytest.raises(InvalidInput, match="damaged"):
            restore_backup(small_backup, replace=False)
        assert every_row() == {"sequences": []}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"migrations": ["memory.0999_of_the_future"]}, "later Longhand"),
        ({"version": 2}, "Upgrade it first"),
        ({"format": "longhand-export"}, "is no longhand-backup"),
    ],
)
def test_restore_refuses_a_backup_of_a_later_longhand(small_backup, tmp_path, changes, sentence):
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(small_backup) as source, zipfile.ZipFile(other, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "manifest.json":
                content = json.dumps({**json.loads(content), **changes}).encode()
            target.writestr(entry, content)

    with empty_database(), pytest.raises(InvalidInput, match=sentence):
        restore_backup(other, replace=False)
