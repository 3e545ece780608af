"""`manage.py ingest`: files and folders become documents, and each is said to be or why not."""

import json
import os
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingest.models import Document
from ingest.services.folders import Found, Intake, take
from ingest.services.following import followed
from ingest.tasks import read_next_document
from memory.domain.errors import Retryable
from memory.models import Principal, Scope, User, acting_as
from memory.services.workers import heartbeat
from tests.fixtures import agent_of
from tests.powers import bound_by_rights

pytestmark = pytest.mark.django_db


def ingest(*words: object, user: User | None) -> tuple[int, list[str]]:
    """The exit code and the lines of the output."""
    out = StringIO()
    whose = ["--user", user.email] if user else []
    try:
        call_command("ingest", *map(str, words), *whose, stdout=out)
    except SystemExit as stop:
        return int(str(stop.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def documents_of(user: User) -> dict[str, Document]:
    with acting_as(Principal(user)):
        rows = Document.objects.select_related("scope").order_by("version")
        return {each.name: each for each in rows}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good files, one of them deeper down."""
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "key.txt").write_text("The greenhouse key hangs behind the door.")
    (folder / "deep/ferns.md").write_text("Noor waters the ferns on Friday.")
    return folder


def test_folder_is_taken_with_all_that_is_below(alice, folder):
    code, lines = ingest(folder, user=alice)

    assert code == 0
    assert lines == [
        f"stored  {folder}/key.txt",
        f"stored  {folder}/deep/ferns.md",
        "2 stored, 0 not.",
    ]
    assert documents_of(alice).keys() == {"key.txt", "ferns.md"}
    assert {each.uploaded_by_id for each in documents_of(alice).values()} == {alice.pk}


def test_second_time_everything_is_there_already(alice, folder):
    ingest(folder, user=alice)

    code, lines = ingest(folder, user=alice)

    assert (code, lines[-1]) == (0, "0 stored, 2 already here, 0 not.")
    assert len(documents_of(alice)) == 2


def test_changed_file_is_a_new_version_and_said_to_be(alice, folder):
    ingest(folder, user=alice)
    (folder / "key.txt").write_text("The greenhouse key lies under the pot.")

    foreseen = ingest(folder, "--dry-run", user=alice)[1]
    code, lines = ingest(folder, user=alice)

    assert code == 0
    assert f"stored  {folder}/key.txt: new version 2 of key.txt" in lines
    assert lines[-1] == "1 stored, 1 already here, 0 not."
    assert lines[:-1] == foreseen[:-1]
    assert documents_of(alice)["key.txt"].version == 2


def test_file_that_is_as_it_was_is_said_to_be_current_again(alice, folder):
    before = (folder / "key.txt").read_text()
    ingest(folder, user=alice)
    (folder / "key.txt").write_text("The greenhouse key lies under the pot.")
    ingest(folder, user=alice)
    (folder / "key.txt").write_text(before)

    lines = ingest(folder, user=alice)[1]

    told = "“key.txt” is as its version 1 was, which is current again."
    assert f"already here  {folder}/key.txt: {told}" in lines


def test_files_of_one_name_in_two_folders_are_two_documents(alice, folder):
    (folder / "key.md").write_text("The greenhouse key hangs here.")
    (folder / "deep/key.md").write_text("The shed key hangs there.")

    ingest(folder, user=alice)

    with acting_as(Principal(alice)):
        rows = Document.objects.filter(name="key.md")
        assert sorted(rows.values_list("version", "origin")) == [
            (1, f"path:{folder}/deep/key.md"), (1, f"path:{folder}/key.md"),
        ]  # fmt: skip


def test_json_tells_the_version(alice, folder):
    ingest(folder, user=alice)
    (folder / "key.txt").write_text("The greenhouse key lies under the pot.")

    lines = [json.loads(line) for line in ingest(folder, "--json", user=alice)[1]]

    told = {Path(one["path"]).name: (one["version"], one["told"]) for one in lines[:-1]}
    assert told == {"key.txt": (2, "new version 2 of key.txt"), "ferns.md": (1, None)}


def test_files_and_folders_are_named_together(alice, folder, tmp_path):
    extra = tmp_path / ".extra.txt"
    extra.write_text("A hidden file that is named is taken.")

    code, lines = ingest(extra, folder / "deep", user=alice)

    assert (code, lines[-1]) == (0, "2 stored, 0 not.")
    assert documents_of(alice).keys() == {".extra.txt", "ferns.md"}


def test_links_hidden_names_and_pipes_are_passed_over_and_said_so(alice, folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("not to be read")
    (folder / "link.txt").symlink_to(outside / "secret.txt")
    (folder / "way").symlink_to(outside)
    (folder / "around").symlink_to(folder)
    (folder / ".hidden.txt").write_text("hidden")
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("hidden too")
    os.mkfifo(folder / "pipe")

    code, lines = ingest(folder, user=alice)

    assert (code, lines[-1]) == (0, "2 stored, 0 not, 6 skipped.")
    said = "\n".join(lines)
    for name, reason in {
        "link.txt": "symbolic link", "way": "symbolic link", "around": "symbolic link",
        ".hidden.txt": "hidden", ".git": "hidden", "pipe": "no file",
    }.items():  # fmt: skip
        assert f"skipped  {folder}/{name}: It is" in said
        assert reason in next(line for line in lines if f"/{name}:" in line)
    assert documents_of(alice).keys() == {"key.txt", "ferns.md"}


def test_bad_file_is_named_with_its_reason_and_stops_no_other(alice, folder, settings):
    (folder / "empty.pdf").touch()
    (folder / "large.txt").write_text("x" * 2_000)
    settings.LONGHAND_MAX_UPLOAD_BYTES = 1_000

    code, lines = ingest(folder, user=alice)

    assert code == 1
    assert lines[-3] == "2 stored, 2 not."
    assert lines[-2] == f"  {folder}/empty.pdf: empty.pdf is empty."
    assert "LONGHAND_MAX_UPLOAD_MB" in lines[-1]
    assert documents_of(alice).keys() == {"key.txt", "ferns.md"}


def test_what_may_not_be_read_is_named_and_stops_no_other(alice, folder):
    (folder / "closed.txt").write_text("closed")
    (folder / "closed.txt").chmod(0)
    (folder / "shut").mkdir(mode=0)

    with bound_by_rights():
        code, lines = ingest(folder, user=alice)

    assert (code, lines[-3]) == (1, "2 stored, 2 not.")
    assert all("cannot be read" in line for line in lines[-2:])


def test_file_that_is_gone_when_its_turn_comes_is_refused(as_alice, alice, tmp_path):
    intake = Intake(as_alice, Scope.objects.for_user(alice))

    taken = take(Found(tmp_path / "gone.txt"), intake)

    assert (taken.outcome, taken.document) == ("refused", None)
    assert taken.reason == "It cannot be read: No such file or directory. Check its rights."


def test_pattern_chooses_among_what_is_below(alice, folder):
    code, lines = ingest(folder, "--glob", "*.md", user=alice)

    assert (code, lines[-1]) == (0, "1 stored, 0 not.")
    assert documents_of(alice).keys() == {"ferns.md"}


def test_dry_run_says_what_would_be_and_keeps_nothing(alice, folder):
    (folder / "empty.txt").touch()
    ingest(folder / "key.txt", user=alice)

    code, lines = ingest(folder, "--dry-run", user=alice)

    assert code == 1
    assert "1 stored, 1 already here, 1 not. Nothing was kept: this was a dry run." in lines
    assert documents_of(alice).keys() == {"key.txt"}


def test_scope_and_tags_are_kept_with_each(alice, folder):
    agent = agent_of(alice, "quill")

    ingest(folder, "--scope", "agent:quill", "--tags", "home, green house", user=alice)

    kept = [(each.scope.agent_id, each.tags) for each in documents_of(alice).values()]
    assert kept == [(agent.pk, ["home", "green house"])] * 2


def test_staff_may_give_files_to_everyone(staff, folder):
    assert ingest(folder, "--scope", "global", user=staff)[0] == 0

    assert {each.scope.kind for each in documents_of(staff).values()} == {"global"}


def test_without_a_name_they_are_the_first_account_s(alice, folder, settings):
    settings.LONGHAND_ADMIN_EMAIL = alice.email

    assert ingest(folder, user=None)[0] == 0
    assert len(documents_of(alice)) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{folder}/nowhere"], "is not there"),
        (["{folder}", "{folder}/nowhere"], "is not there"),
        (["{folder}", "--glob", "*.pdf"], "no file to take"),
        (["{folder}", "--scope", "global"], "global"),
        (["{folder}", "--scope", "agent:nobody"], "no agent nobody"),
        (["{folder}", "--scope", "agent"], "named"),
        (["{folder}", "--scope", "session"], "conversation"),
        (["{folder}", "--scope", "everybody"], "Unknown scope 'everybody'. Use user, agent:NAME"),
        (["{folder}", "--scope", "user:quill"], "Unknown scope"),
        (["{folder}", "--tags", "x" * 65], "tag"),
        (["{folder}", "--user", "nobody@example.org"], "no account"),
        ([], "PATH"),
        (["{folder}", "--color"], "color"),
    ],
)
def test_wrong_call_keeps_nothing_and_says_what_to_do(alice, folder, words, said):
    given = [each.format(folder=folder) for each in words]
    whose = [] if "--user" in given else ["--user", alice.email]

    with pytest.raises(CommandError, match=said) as error:
        call_command("ingest", *given, *whose, stdout=StringIO())

    # What the parser finds wrong ends with 2 where there is no caller to raise it to.
    assert error.value.returncode == 2 or "PATH" in said or "color" in said
    assert documents_of(alice) == {}


@pytest.mark.parametrize("name", [b"B\xfccher.txt", b"two\nlines.txt", b"tab\tstop.txt"])
def test_path_of_any_bytes_is_one_line(alice, tmp_path, name):
    file = os.fsencode(tmp_path) + b"/" + name
    Path(os.fsdecode(file)).write_text("The bin day is Tuesday.")

    for options in ([], ["--json"]):
        code, lines = ingest(tmp_path, *options, user=alice)
        assert (code, len(lines)) == (0, 2)
        "\n".join(lines).encode()


def test_json_is_one_object_a_line(alice, folder):
    (folder / "empty.txt").touch()
    (folder / ".hidden").touch()

    code, lines = ingest(folder, "--json", user=alice)

    assert code == 1
    *each, last = map(json.loads, lines)
    told = {Path(one["path"]).name: (one["outcome"], one["reason"]) for one in each}
    assert told == {
        "key.txt": ("stored", None),
        "ferns.md": ("stored", None),
        "empty.txt": ("refused", "empty.txt is empty."),
        ".hidden": ("skipped", "It is hidden. Name it to have it taken."),
    }
    ids = {one["id"] for one in each} - {None}
    assert ids == {str(document.pk) for document in documents_of(alice).values()}
    assert last == {
        "summary": {"stored": 2, "already here": 0, "not": 1, "skipped": 1}, "dry_run": False,
    }  # fmt: skip


def test_waiting_tells_the_end_of_each_and_names_what_failed(alice, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nbroken")
    (folder / "twin.pdf").write_bytes(b"%PDF-1.4\nbroken")
    ingest(folder, user=alice)
    read_all(alice)

    code, lines = ingest(folder, "--wait", user=alice)

    assert code == 1
    assert lines[-3] == "2 done, 2 not."
    reason = documents_of(alice)["broken.pdf"].reason
    assert lines[-2:] == [f"  {folder}/{name}.pdf: {reason}" for name in ("broken", "twin")]
    assert f"done  {folder}/key.txt" in lines


def test_waiting_goes_on_until_the_last_is_read(alice, folder):
    ingest(folder, user=alice)
    heartbeat(name="a worker", pid=1)
    with acting_as(Principal(alice)) as principal:
        ids = [each.pk for each in documents_of(alice).values()]

        ended = [each.name for each in followed(principal, ids, lambda: read_all(alice, most=1))]

    assert ended == ["key.txt", "ferns.md"]


def test_waiting_ends_with_the_remedy_when_no_worker_runs(alice, folder):
    with pytest.raises(CommandError, match=r"manage\.py up") as error:
        ingest(folder, "--wait", user=alice)

    assert error.value.returncode == 1
    assert len(documents_of(alice)) == 2


def test_document_that_is_deleted_is_waited_for_no_more(alice, folder):
    ingest(folder, user=alice)
    heartbeat(name="a worker", pid=1)
    with acting_as(Principal(alice)) as principal:
        ids = [each.pk for each in documents_of(alice).values()]

        assert list(followed(principal, ids, lambda: delete_all(ids))) == []


def test_following_without_a_worker_needs_none_when_all_is_read(alice, folder):
    ingest(folder, user=alice)
    read_all(alice)
    with acting_as(Principal(alice)) as principal:
        ids = [each.pk for each in documents_of(alice).values()]
        assert len(list(followed(principal, ids, pytest.fail))) == 2
        Document.objects.filter(pk__in=ids[:1]).update(status="queued")
        with pytest.raises(Retryable, match="1 stored"):
            list(followed(principal, ids, pytest.fail))


def read_all(user: User, most: int = 10) -> None:
    for _ in range(min(most, len(documents_of(user)))):
        read_next_document()


def delete_all(ids: list[Any]) -> None:
    Document.objects.filter(pk__in=ids).delete()
