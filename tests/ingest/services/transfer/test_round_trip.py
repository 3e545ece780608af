"""From an export into a fresh account, and nothing is lost on the way."""

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingest.models import Document, Member
from ingest.services.transfer.families import NOT_HERE
from memory.domain.capture import FactDraft
from memory.models import (
    Conversation,
    Fact,
    FactHistory,
    FactUsage,
    Principal,
    Scope,
    Turn,
    User,
    across_owners,
    acting_as,
)
from memory.services.accounts import create_account
from memory.services.facts import remember_fact
from tests.fixtures import add_document, remember
from tests.furnished import every_file, every_row

pytestmark = pytest.mark.django_db

NEW_HERE = {"id", "scope", "owner", "conversation", "turn", "document", "fact", "superseded_by"}
NEW_HERE |= {"parent", "replaces", "container"}
MADE_AGAIN = {"search", "file", "uploaded_by", "captured", "pgh_id", "pgh_obj", "pgh_context"}


def run(name: str, *arguments: object) -> str:
    said = StringIO()
    call_command(name, *map(str, arguments), stdout=said)
    return said.getvalue()


def everything_of(user: User) -> dict[str, list[dict[str, Any]]]:
    """Each column of each row that a person has, with what it points to in words."""
    with acting_as(Principal(user)):
        facts = Fact.objects.order_by("recorded_at", "text").select_related(
            "turn", "document", "superseded_by"
        )
        return {
            "facts": [
                told(fact)
                | {
                    "turn": fact.turn and fact.turn.text,
                    "document": fact.document and fact.document.name,
                    "superseded_by": fact.superseded_by and fact.superseded_by.text,
                }
                for fact in facts
            ],
            "turns": [
                told(turn) | {"captured": [words_of(each) for each in turn.captured]}
                for turn in Turn.objects.order_by("observed_at")
            ],
            "documents": [
                told(each)
                | {
                    "parent": each.parent and each.parent.name,
                    "replaces": each.replaces and each.replaces.version,
                }
                for each in Document.objects.order_by("pk")
            ],
            "members": [
                told(each)
                | {
                    "container": (each.container.name, each.container.version),
                    "document": each.document and each.document.name,
                }
                for each in Member.objects.order_by("ordinal")
            ],
            "usage": [
                told(each) | {"fact": each.fact.text}
                for each in FactUsage.objects.order_by("fact__text")
            ],
            "history": [
                told(each) | {"fact": each.pgh_obj.text, "by": each.pgh_context.metadata["action"]}
                for each in FactHistory.objects.order_by("pgh_created_at", "text", "status")
            ],
            "conversations": [
                told(each) for each in Conversation.objects.filter(owner=user).order_by("key")
            ],
        }


def told(row: Any) -> dict[str, Any]:
    names = {field.name for field in row._meta.concrete_fields} - NEW_HERE - MADE_AGAIN
    values = {name: getattr(row, name) for name in names if name != "agent"}
    if hasattr(row, "scope"):
        values["scope"] = (row.scope.kind, row.scope.label, str(row.scope.conversation or ""))
    return {
        name: bytes(value) if isinstance(value, memoryview) else value
        for name, value in values.items()
    }


def words_of(captured: dict[str, Any]) -> tuple[str, bool]:
    return Fact.objects.get(pk=captured["fact"]).text, captured["duplicate"]


@pytest.fixture
def replaced(furnished: User) -> User:
    """With a memory that another one replaced."""
    with acting_as(Principal(furnished)) as principal:
        scope = Scope.objects.for_user(furnished)
        old = remember(furnished, "The bus stops at the bridge.")
        draft = FactDraft(text="The bus stops at the mill.")
        remember_fact(principal=principal, scope=scope, draft=draft, supersedes=old.pk)
        FactUsage.objects.note_recall([old.pk], old.recorded_at)
    return furnished


@pytest.fixture
def fresh(db: None) -> User:
    return create_account("nora@example.org")


@pytest.mark.parametrize("name", ["all.zip", "folder"])
def test_export_and_import_give_the_same_memories_to_a_fresh_account(
    replaced, fresh, tmp_path, name
):
    before, files = everything_of(replaced), sorted(every_file().values())
    assert all(before.values())

    run("export", "--user", replaced.email, "--output", tmp_path / name)
    said = run("import", tmp_path / name, "--user", fresh.email)

    assert everything_of(fresh) == before
    assert everything_of(replaced) == before
    assert sorted(every_file().values()) == sorted(files * 2)
    assert "facts" in said


def test_import_after_a_loss_brings_back_the_very_same_rows(replaced, tmp_path):
    before = everything_of(replaced)
    with across_owners():
        ids = set(Fact.objects.values_list("pk", flat=True))
    run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")
    with across_owners():
        Fact.objects.filter(scope__user=replaced).delete()
        Document.objects.filter(scope__user=replaced).delete()
        Turn.objects.filter(conversation__owner=replaced).delete()

    run("import", tmp_path / "all.zip", "--user", replaced.email)

    for noun, rows in everything_of(replaced).items():
        assert rows == before[noun]
    with across_owners():
        assert set(Fact.objects.values_list("pk", flat=True)) == ids


@pytest.mark.parametrize("email", ["alice@example.org", "nora@example.org"])
def test_import_again_changes_nothing(replaced, fresh, tmp_path, email):
    run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")
    run("import", tmp_path / "all.zip", "--user", email)
    rows, files = every_row(), every_file()

    run("import", tmp_path / "all.zip", "--user", email)

    again = every_row()
    assert {name for name in rows if rows[name] != again[name]} <= {"django_q_ormq", "sequences"}
    assert every_file() == files


def test_import_keeps_what_is_here_and_meets_twins(replaced, fresh, tmp_path):
    twin = remember(fresh, "THE RENT IS 1,300", importance=9)
    own = remember(fresh, "Nora's own.")
    run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")

    run("import", tmp_path / "all.zip", "--user", fresh.email)

    with acting_as(Principal(fresh)):
        said = list(Fact.objects.active().memories().values_list("text", flat=True))
        assert {"THE RENT IS 1,300", own.text} <= set(said)
        assert "The rent is 1,300." not in said
        twin.refresh_from_db()
        assert twin.importance == 9


def test_import_leaves_a_clients_key_to_the_memory_that_has_it_here(replaced, fresh, tmp_path):
    remember(replaced, "The gate code changes in May.", idempotency_key="gate")
    remember(fresh, "The gate is green.", idempotency_key="gate")
    run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")

    run("import", tmp_path / "all.zip", "--user", fresh.email)

    with acting_as(Principal(fresh)):
        keys = dict(
            Fact.objects.filter(text__startswith="The gate").values_list("text", "idempotency_key")
        )
    assert keys == {"The gate is green.": "gate", "The gate code changes in May.": ""}


def test_dry_run_counts_and_keeps_nothing(replaced, fresh, tmp_path):
    written = run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")
    rows, files = every_row(), every_file()

    said = run("import", tmp_path / "all.zip", "--user", fresh.email, "--dry-run")

    again = every_row()
    assert {name for name in rows if rows[name] != again[name]} <= {"sequences"}
    assert every_file() == files
    assert "facts 10 new" in said
    assert "memories and passages 10" in written
    assert not re.search("facts|members|usage|history", written)


def test_export_holds_one_persons_rows_and_no_secret(replaced, bob, tmp_path):
    run("export", "--user", replaced.email, "--output", tmp_path / "all")

    held = b"".join(each.read_bytes() for each in (tmp_path / "all").rglob("*") if each.is_file())
    assert b"The rent is 1,300." in held
    assert b"Petrel" not in held
    assert b"argon2" not in held
    assert (tmp_path / "all").stat().st_mode & 0o077 == 0


def test_export_of_all_goes_to_each_account_and_to_everyone(replaced, bob, staff, tmp_path):
    remember(staff, "The office closes at six.", scope=Scope.objects.for_everyone())
    User.objects.filter(pk=bob.pk).update(name="Bob", time_zone="Europe/Vienna")
    run("export", "--all", "--output", tmp_path / "all.zip")
    boat = "Bob's boat is called Petrel."
    before = everything_of(replaced)
    with across_owners():
        Fact.objects.all().delete()
        Document.objects.all().delete()
    User.objects.filter(pk=bob.pk).delete()

    run("import", tmp_path / "all.zip", "--all")

    assert everything_of(replaced)["facts"] == before["facts"]
    again = User.objects.get(email="bob@example.org")
    assert (again.name, again.time_zone, again.is_staff) == ("Bob", "Europe/Vienna", False)
    with acting_as(Principal(again)):
        assert set(Fact.objects.values_list("text", flat=True)) == {
            boat,
            "The office closes at six.",
        }
    with pytest.raises(CommandError, match="Say --all"):
        run("import", tmp_path / "all.zip", "--user", replaced.email)


def test_import_leaves_out_what_the_documents_here_have_already(replaced, fresh, tmp_path):
    """The same bytes are one document here: a member points to it, a version keeps its place."""
    twin = add_document(fresh, "own.txt", text="What plan.txt says.")
    run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")

    run("import", tmp_path / "all.zip", "--user", fresh.email)

    with acting_as(Principal(fresh)):
        members = Member.objects.order_by("ordinal")
        assert [each.document for each in members] == [twin, twin, None]
        twin.refresh_from_db()
        assert (twin.parent, twin.name) == (None, "own.txt")
        newer = Document.objects.get(name="papers.eml", version=2)
        assert newer.replaces.version == 1


def test_import_says_of_a_member_whose_file_was_not_taken_along(replaced, fresh, tmp_path):
    with across_owners():
        Document.objects.filter(name="plan.txt").update(file="documents/gone")
    run("export", "--user", replaced.email, "--output", tmp_path / "all.zip")

    run("import", tmp_path / "all.zip", "--user", fresh.email)

    with acting_as(Principal(fresh)):
        told = Member.objects.order_by("ordinal").values_list("document", "reason")
        assert list(told) == [(None, NOT_HERE), (None, NOT_HERE), (None, "Too large.")]
