"""Archives that somebody changed: refused in one sentence, and nothing is stored."""

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections

from ingest.models import Document
from ingest.services.orphans import SWEEP
from memory.models import Fact, FactHistory, Principal, Turn, User, across_owners, acting_as
from memory.services.accounts import create_account
from memory.services.facts import restore_fact
from tests.fixtures import add_document, add_turn, remember
from tests.furnished import every_file, every_row
from tests.memory.services.claiming import live

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, bytes]], None]


@pytest.fixture
def exported(own_files: Path, alice: User, tmp_path: Path) -> Path:
    """An export of one memory, one turn that gave nothing, and one document."""
    remember(alice, "The rent is 1,250.", tags=("home",))
    add_turn(alice, "Hello there.")
    add_document(alice, "notes.txt", text="The lease ends in May.")
    call_command("export", "--user", alice.email, "--output", str(tmp_path / "folder"))
    return tmp_path / "folder"


@pytest.fixture
def nora(db: None) -> User:
    return create_account("nora@example.org")


def rewritten(exported: Path, name: str, change: Callable[[dict[str, Any]], object]) -> Path:
    """The same export with its first line of this noun changed, and a manifest that agrees."""
    file = next(exported.rglob(name))
    first, *others = file.read_text().splitlines()
    line = json.loads(first)
    change(line)
    file.write_text("\n".join([json.dumps(line), *others]) + "\n")
    manifest = json.loads((exported / "manifest.json").read_text())
    manifest["members"][file.relative_to(exported).as_posix()] = {
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "size_bytes": file.stat().st_size,
    }
    (exported / "manifest.json").write_text(json.dumps(manifest))
    return exported


def refused(path: Path, email: str = "nora@example.org") -> CommandError:
    with pytest.raises(CommandError) as caught:
        call_command("import", str(path), "--user", email)
    return caught.value


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("facts.jsonl", {"importance": 11}, "facts.jsonl line 1"),
        ("facts.jsonl", {"kind": "gossip"}, "Unknown kind 'gossip'"),
        ("facts.jsonl", {"category": "invented"}, "'invented' is not in this export"),
        ("facts.jsonl", {"scope": {"kind": "global"}}, "'global' is not one of this person's"),
        ("facts.jsonl", {"scope": {"kind": "agent", "agent": "quill"}}, "has no such agent"),
        ("facts.jsonl", {"scope": None}, "names no scope"),
        ("turns.jsonl", {"conversation": "another"}, "'another' is not in this export"),
        ("documents.jsonl", {"sha256": "00" * 32}, "another one than it says"),
    ],
)
def test_import_names_the_line_and_stores_nothing(exported, nora, name, changes, sentence):
    path = rewritten(exported, name, lambda line: line.update(changes))
    rows, files = every_row(), every_file()

    error = refused(path)

    assert error.returncode == 2
    assert len(str(error).splitlines()) == 1
    assert name in str(error)
    with pytest.raises(CommandError, match=sentence):
        raise error
    rows.pop("sequences")
    assert {name: rows[name] for name in rows} == {name: every_row()[name] for name in rows}
    assert every_file() == files


def test_import_masks_secrets_that_somebody_wrote_into_an_export(exported, nora):
    secret = "ghp_" + "a1B2" * 9
    rewritten(exported, "facts.jsonl", lambda line: line.update(text=f"The token is {secret}"))

    call_command("import", str(exported), "--user", nora.email)

    with acting_as(Principal(nora)):
        assert [secret in text for text in Fact.objects.values_list("text", flat=True)] == [False]


def test_import_reads_an_unfinished_document_anew(exported, nora):
    call_command("import", str(exported), "--user", nora.email)

    with acting_as(Principal(nora)):
        document = Document.objects.get()
        assert (document.status, document.uploaded_by, document.attempts) == ("queued", nora, 0)


def test_import_never_takes_over_a_row_of_somebody_else(exported, alice, bob):
    """The same ids are taken: bob gets rows of his own, alice keeps hers."""
    call_command("import", str(exported), "--user", bob.email)

    with across_owners():
        facts = {fact.scope.user: fact.pk for fact in Fact.objects.select_related("scope__user")}
        turns = Turn.objects.values_list("scope__user__email", flat=True)
        assert facts.keys() == {alice, bob}
        assert facts[alice] != facts[bob]
        assert sorted(turns) == ["alice@example.org", "bob@example.org"]


def test_import_waits_for_files_that_are_being_swept(exported, nora):
    sweeper = connections.create_connection("default")
    with closing(sweeper), sweeper.cursor() as elsewhere, connection.cursor() as here:
        elsewhere.execute("SELECT pg_advisory_lock(%s)", [crc32(f"job:{SWEEP}".encode())])
        here.execute("SET LOCAL lock_timeout = '50ms'")

        with pytest.raises(OperationalError, match="lock timeout"):
            call_command("import", str(exported), "--user", nora.email)


def test_export_never_writes_over_what_is_there(exported, alice, tmp_path):
    (tmp_path / "kept.zip").write_text("somebody's")

    for path in (tmp_path / "kept.zip", exported):
        with pytest.raises(CommandError, match="exists already"):
            call_command("export", "--user", alice.email, "--output", str(path))

    assert (tmp_path / "kept.zip").read_text() == "somebody's"
    assert not list(tmp_path.glob(".*"))


def test_export_says_which_file_is_gone(exported, alice, tmp_path, capsys):
    with across_owners():
        Document.objects.update(file="documents/gone")

    call_command("export", "--user", alice.email, "--output", str(tmp_path / "again"))

    assert "The file of notes.txt is gone" in capsys.readouterr().err
    call_command("import", str(tmp_path / "again"), "--user", alice.email)


@pytest.mark.parametrize("email", [5, "\ud800@example.org", "\0a@example.org"])
def test_import_refuses_a_manifest_whose_people_are_none(db, tmp_path, email):
    told = {"format": "longhand-export", "version": 1, "members": {}}
    people = [{"folder": "people/x", "email": email}]
    (tmp_path / "manifest.json").write_text(json.dumps({**told, "people": people}))

    with pytest.raises(CommandError, match="names no people"):
        call_command("import", str(tmp_path), "--all")


@pytest.mark.parametrize(
    ("email", "path", "sentence"),
    [
        ("nobody@example.org", "folder", "has no account"),
        ("nora@example.org", "not-there", "not-there is not there. Check the path."),
        ("nora@example.org", ".", "no manifest.json"),
    ],
)
def test_import_says_what_is_missing(exported, nora, tmp_path, email, path, sentence):
    error = refused(tmp_path / path, email)

    assert sentence in str(error)


def test_database_knows_how_many_rows_came_in(exported, nora):
    """Until it does, it takes the tables to be small, and goes through all of one for each row."""
    call_command("import", str(exported), user=nora.email)

    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'memory_fact'")
        assert cursor.fetchone() == (2,)


def test_history_of_an_export_that_told_no_labels_has_those_of_the_memory(exported, nora):
    def forget_labels(line: dict[str, Any]) -> None:
        for name in ("why", "tags", "shelf", "importance", "decay_class", "pinned"):
            del line[name]

    call_command(
        "import", str(rewritten(exported, "history.jsonl", forget_labels)), "--user", nora.email
    )

    with acting_as(Principal(nora)):
        assert [state.tags for state in FactHistory.objects.all()] == [["home"]]


def test_secrets_in_the_labels_of_a_state_are_masked(exported, nora):
    secret = "ghp_" + "a1B2" * 9
    changed = rewritten(
        exported, "history.jsonl", lambda line: line.update(tags=[secret], why=secret)
    )

    call_command("import", str(changed), "--user", nora.email)

    with acting_as(Principal(nora)):
        assert secret not in str(list(FactHistory.objects.values()))


@pytest.mark.parametrize("days", [-3, 3])
def test_imported_value_and_the_one_that_is_here_leave_the_newest_in_use(
    own_files, alice, nora, tmp_path, days
):
    live(alice, "Leeds")
    call_command("export", "--user", alice.email, "--output", str(tmp_path / "folder"))
    live(nora, "York", days=days)

    call_command("import", str(tmp_path / "folder"), "--user", nora.email)

    with acting_as(Principal(nora)):
        rows = {fact.value: fact for fact in Fact.objects.all()}
    new, old = (rows["York"], rows["Leeds"]) if days > 0 else (rows["Leeds"], rows["York"])
    assert (new.status, old.status, old.superseded_by_id) == ("active", "superseded", new.pk)


def test_values_that_a_person_let_stand_side_by_side_come_back_so(own_files, alice, nora, tmp_path):
    live(alice, "Leeds")
    live(alice, "York", days=1)
    with acting_as(Principal(alice)) as principal:
        old = Fact.objects.get(value="Leeds")
        restore_fact(principal=principal, fact_id=old.pk)
    call_command("export", "--user", alice.email, "--output", str(tmp_path / "folder"))

    call_command("import", str(tmp_path / "folder"), "--user", nora.email)

    with acting_as(Principal(nora)):
        assert sorted(Fact.objects.active().values_list("value", flat=True)) == ["Leeds", "York"]
