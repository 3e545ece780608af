"""`import_memories`: what another system kept, through the same door as everything else."""

import json
import sqlite3
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.models import Fact, FactUsage, Principal, User, acting_as
from memory.services.facts import forget_fact
from tests.fixtures import agent_of
from tests.memory.services.imported.stores import HYBRID, OKBRAIN, store

pytestmark = pytest.mark.django_db


def run(path: Path, user: User, *options: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(
        "import_memories", str(path), "--user", user.email, *options, stdout=out, stderr=err
    )
    return out.getvalue(), err.getvalue()


def facts_of(user: User) -> dict[str, Fact]:
    with acting_as(Principal(user)):
        return {fact.text: fact for fact in Fact.objects.select_related("scope")}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "memory").mkdir(parents=True)
    (folder / ".obsidian").mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n## People\n- Ines signs off builds\n- \n")
    (folder / "memory" / "2026-01-31.md").write_text("- Moved the boat\n\nRain all day.\n")
    (folder / ".obsidian" / "x.md").write_text("- hidden")
    (folder / "readme.txt").write_text("no note")
    (folder / "link.md").symlink_to("/etc/hostname")
    return folder


def test_folder_of_notes_becomes_memories_once(alice, notes):
    told, _ = run(notes, alice)

    assert told == "3 new, 0 already here.\n"
    facts = facts_of(alice)
    assert facts.keys() == {"Ines signs off builds", "Moved the boat", "Rain all day."}
    assert facts["Moved the boat"].source_date == datetime(2026, 1, 31, tzinfo=UTC)
    assert facts["Ines signs off builds"].tags == ["Memory", "People"]
    assert run(notes, alice)[0] == "0 new, 3 already here.\n"
    with acting_as(Principal(alice)):
        assert not FactUsage.objects.exists()


def test_import_says_what_became_of_the_secrets(alice, tmp_path):
    (tmp_path / "notes.md").write_text(
        "- My wifi password is bluegoose42\n- The door code is hunter2abc, a password\n"
    )

    told, beside = run(tmp_path, alice)

    assert told.startswith("2 new")
    assert "a secret was masked; no vault is set (" in beside
    assert "bluegoose42" not in told + beside


def test_hybrid_store_brings_times_labels_and_names(alice, tmp_path):
    path = store(tmp_path / "facts.db", HYBRID)
    before = path.read_bytes()

    told, reasons = run(path, alice)

    assert told == "2 new, 0 already here, 1 refused, 2 left out.\n"
    assert "row f5: The field “text” is blank" in reasons
    assert "row f3: A newer one replaced it there." in reasons
    assert "row f4: It had expired there." in reasons
    fact = facts_of(alice)["Ines signs off every build."]
    assert (fact.why, fact.category, fact.kind, fact.importance, fact.confidence) == (
        "Said in standup", "rule", "rule", 9, 0.8,
    )  # fmt: skip
    assert (fact.entity, fact.key, fact.value) == ("Ines", "role", "release lead")
    assert (fact.decay_class, fact.tags) == ("permanent", ["team", "release"])
    assert fact.source_date == datetime(2026, 1, 1, tzinfo=UTC)
    other = facts_of(alice)["The boat is blue."]
    assert (other.category, other.tags, other.importance) == ("other", ["edict"], 5)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["facts.db"]


def test_okbrain_store_is_read_for_one_person_only(alice, tmp_path):
    path = store(tmp_path / "brain.db", OKBRAIN)

    with pytest.raises(CommandError, match=r"2 people\. Say --from-user\. It names ada@"):
        run(path, alice)
    with pytest.raises(CommandError, match="nothing of eve@"):
        run(path, alice, "--from-user", "eve@example.org")
    run(path, alice, "--from-user", "ada@example.org")

    facts = facts_of(alice)
    assert {text: (fact.shelf, fact.decay_class) for text, fact in facts.items()} == {
        "Plays the cello": ("core", "durable"),
        "Has a cold": ("transient", "short"),
    }
    assert facts["Has a cold"].source_date == datetime(2026, 1, 31, 13, tzinfo=UTC)


def test_store_with_an_unwritten_log_is_read_whole_and_left_alone(alice, tmp_path):
    path = tmp_path / "brain.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.executescript(OKBRAIN)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    run(path, alice, "--from-user", "ben@example.org")

    assert facts_of(alice).keys() == {"Runs a NAS"}
    after = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    writer.close()
    assert after == before


def test_mem0_export_becomes_memories(alice, tmp_path):
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": [{"memory": "Likes tea"}, {"memory": "likes TEA."}]}))

    assert run(path, alice)[0] == "1 new, 1 already here.\n"


def test_secret_in_a_foreign_store_is_masked(alice, tmp_path):
    secret = "ghp_" + "a1B2" * 9
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps([{"memory": f"The token is {secret}"}]))

    run(path, alice)
    run(path, alice)

    (text,) = facts_of(alice)
    assert text.startswith("The token is [secret: ")
    assert secret not in text


def test_memory_that_was_forgotten_here_stays_forgotten(alice, notes):
    run(notes, alice)
    with acting_as(Principal(alice)) as principal:
        gone = Fact.objects.get(text="Rain all day.")
        forget_fact(principal=principal, fact_id=gone.pk)

    run(notes, alice)

    with acting_as(Principal(alice)):
        assert not Fact.objects.active().filter(text="Rain all day.").exists()


def test_dry_run_tells_the_same_and_keeps_nothing(alice, notes):
    told, _ = run(notes, alice, "--dry-run")

    assert told == "3 new, 0 already here. Nothing was kept: this was a dry run.\n"
    assert facts_of(alice) == {}


def test_memories_go_to_the_scope_that_is_named(alice, staff, notes):
    agent = agent_of(alice, "quill")

    run(notes, alice, "--agent", "quill")
    run(notes, staff, "--scope", "global")

    kinds = {fact.scope.kind for fact in facts_of(staff).values()}
    assert kinds == {"global"}
    with acting_as(Principal(alice)):
        assert Fact.objects.filter(scope__agent=agent).count() == 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--agent", "nobody"], "has no agent nobody"),
        (["--scope", "agent"], "needs its agent named"),
        (["--scope", "global"], "Only staff"),
        (["--format", "okbrain"], "cannot be read as a SQLite store"),
        (["--format", "mem0"], "Is a directory"),
    ],
)
def test_wrong_use_is_told_in_one_sentence(alice, notes, options, sentence):
    with pytest.raises(CommandError, match=sentence) as caught:
        run(notes, alice, *options)

    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.db", b"SQLite format 3\x00" + b"x" * 200, "cannot be read as a SQLite store"),
        ("a.bin", b"\x7fELF", "no folder of notes, no JSON and no SQLite store"),
        ("a.json", b"{", "is no JSON"),
        ("a.json", b"[]", "holds no memories"),
        ("a.md", b"# Only a heading", "holds no memories"),
    ],
)
def test_file_that_is_no_store_is_refused(alice, tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(CommandError, match=sentence):
        run(tmp_path / name, alice)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("CREATE TABLE notes (id TEXT)", "has no table “facts”"),
        ("CREATE TABLE facts (id TEXT, body TEXT)", "other columns than a known store"),
    ],
)
def test_store_with_other_tables_is_refused(alice, tmp_path, script, sentence):
    path = store(tmp_path / "a.db", script)

    with pytest.raises(CommandError, match=sentence):
        run(path, alice)


def test_path_that_is_not_there_is_told(alice, tmp_path):
    with pytest.raises(CommandError, match="No such file") as caught:
        run(tmp_path / "gone.db", alice)

    assert caught.value.returncode == 1
