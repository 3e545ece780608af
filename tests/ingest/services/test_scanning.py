"""What is taken from watched folders, when, as what, and what keeps a folder from being read."""

import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from ingest.models import Document, WatchedFile, WatchedFolder
from ingest.services.documents import delete_document
from ingest.services.scanning import (
    GONE,
    SCAN,
    look,
    scan_watched_folders,
    take_all,
)
from ingest.tasks import scan_watched_folders as scan_task
from memory.models import JobRun, Principal, Scope, User, across_owners, acting_as
from memory.services.hosts import host_name
from tests.elsewhere import locks_held
from tests.ingest.services.test_watching import allowed, watch  # noqa: F401 - fixtures
from tests.ingest.services.versioned import found, read_all
from tests.powers import bound_by_rights


@pytest.fixture
def folder(watch, allowed) -> WatchedFolder:  # noqa: F811 - a fixture
    """Alice's watched folder with two files."""
    (allowed / "mine/deep").mkdir()
    (allowed / "mine/key.txt").write_text("The greenhouse key hangs behind the door.")
    (allowed / "mine/deep/ferns.md").write_text("Noor waters the ferns on Friday.")
    return watch(allowed / "mine", tags=("home",))


@pytest.fixture
def root(folder) -> Path:
    return Path(folder.path)


@pytest.fixture
def scan(folder):
    """Looks into all folders a while later, when every file is at rest."""

    def scanned(later: float = 10.0) -> dict[str, int]:
        scanned.passed += later
        with time_machine.travel(timezone.now() + timedelta(seconds=scanned.passed), tick=True):
            return scan_watched_folders()

    scanned.passed = 0.0
    return scanned


def documents() -> dict[str, Document]:
    return {each.name: each for each in Document.objects.current()}


def told(folder: WatchedFolder) -> str:
    folder.refresh_from_db()
    return folder.last_error


def reasons() -> dict[str, str]:
    return dict(WatchedFile.objects.exclude(reason="").values_list("path", "reason"))


def test_files_become_documents_of_the_folder_s_person(scan, folder, alice):
    assert scan() == {"taken": 2}

    assert documents().keys() == {"key.txt", "ferns.md"}
    for document in documents().values():
        assert (document.uploaded_by, document.scope, document.tags) == (
            alice, folder.scope, ["home"],
        )  # fmt: skip
    folder.refresh_from_db()
    assert folder.scanned_at is not None
    run = JobRun.objects.get()
    assert (run.kind, run.owner, run.worked_in, run.subject, run.counts) == (
        SCAN, alice, folder.scope_id, folder.pk, {"taken": 2},
    )  # fmt: skip


def test_unchanged_files_are_not_taken_again_and_leave_no_run(scan):
    scan()

    assert scan() == {}

    assert JobRun.objects.count() == 1
    assert reasons() == {}


def test_file_that_was_changed_just_now_is_taken_once_it_rests(scan):
    assert scan(0) == {}
    assert scan(4) == {}
    assert scan(2) == {"taken": 2}


def test_changed_file_is_a_new_version(scan, root, as_alice):
    scan()
    read_all()
    (root / "key.txt").write_text("The greenhouse key lies under the pot.")

    assert scan() == {"taken": 1}
    read_all()

    document = documents()["key.txt"]
    assert (document.version, document.replaces.name) == (2, "key.txt")
    assert found(as_alice, mode="keyword") == {"The greenhouse key lies under the pot."}


def test_file_that_is_as_it_once_was_is_current_again(scan, root, as_alice):
    before = (root / "key.txt").read_text()
    for text in ("The greenhouse key lies under the pot.", before):
        scan()
        read_all()
        (root / "key.txt").write_text(text)
    scan()
    read_all()

    assert found(as_alice, "greenhouse key", "keyword") == {before}


def test_touched_file_stays_the_same_document(scan, root):
    scan()
    os.utime(root / "key.txt", (time.time() - 999, time.time() - 999))

    assert scan() == {"taken": 1}
    assert Document.objects.count() == 2
    assert scan() == {}


def test_removed_file_leaves_its_document_and_is_noted(scan, root):
    scan()
    (root / "key.txt").unlink()

    assert scan() == {}

    assert reasons() == {"key.txt": GONE}
    assert documents().keys() == {"key.txt", "ferns.md"}


def test_file_that_comes_back_is_its_document_again(scan, root):
    scan()
    (root / "key.txt").rename(root / ".key.txt")
    scan()
    (root / ".key.txt").rename(root / "key.txt")

    scan()

    assert reasons() == {}
    assert Document.objects.count() == 2


def test_renamed_file_keeps_its_document_and_its_versions(scan, root, folder):
    scan()
    (root / "key.txt").rename(root / "keys.txt")
    scan()
    (root / "keys.txt").write_text("The greenhouse key lies under the pot.")

    scan()

    newest = Document.objects.get(name="keys.txt")
    assert (newest.version, newest.replaces.name) == (2, "key.txt")
    assert newest.origin == f"path:{folder.path}/keys.txt"


def test_file_that_is_put_over_another_replaces_it(scan, root, as_alice):
    scan()
    (root / "draft.txt").write_text("The greenhouse key lies under the pot.")
    scan()
    read_all()
    assert len(found(as_alice, "greenhouse key", "keyword")) == 2
    (root / "draft.txt").rename(root / "key.txt")

    scan()

    assert found(as_alice, "greenhouse key", "keyword") == {
        "The greenhouse key lies under the pot."
    }


def test_twin_that_was_not_changed_keeps_the_document(scan, root, as_alice):
    (root / "twin.txt").write_bytes((root / "key.txt").read_bytes())
    scan()
    assert [*reasons().values()] == ["“twin.txt” is already stored as “key.txt”."]
    (root / "key.txt").write_text("The greenhouse key lies under the pot.")

    scan()
    read_all()

    assert len(found(as_alice, "greenhouse key", "keyword")) == 2
    (root / "twin.txt").write_text("The greenhouse key is with Noor now.")
    scan()
    read_all()
    assert found(as_alice, "greenhouse key", "keyword") == {
        "The greenhouse key lies under the pot.", "The greenhouse key is with Noor now.",
    }  # fmt: skip


@pytest.mark.parametrize("looks", [1, 2])
def test_copy_of_a_file_that_is_changed_then_keeps_what_it_was(scan, root, as_alice, looks):
    before, after = (root / "key.txt").read_text(), "The greenhouse key lies under the pot."
    scan()
    read_all()
    (root / "key.txt").write_text(after)
    if looks == 2:
        scan()
    (root / "key_old.txt").write_text(before)

    scan()
    read_all()

    assert found(as_alice, "greenhouse key", "keyword") == {before, after}
    assert reasons().get("key_old.txt", "") in {"", "“key_old.txt” is already stored as “key.txt”."}


def test_bad_files_are_named_with_their_reason_and_stop_no_other(scan, root, settings):
    settings.LONGHAND_MAX_UPLOAD_BYTES = 1_000
    (root / "empty.txt").touch()
    (root / "large.txt").write_text("x" * 2_000)

    assert scan() == {"taken": 2, "refused": 2}
    assert scan() == {}

    assert reasons()["empty.txt"] == "empty.txt is empty."
    assert "LONGHAND_MAX_UPLOAD_MB" in reasons()["large.txt"]


def test_file_that_may_not_be_read_is_taken_once_it_may(scan, root):
    (root / "key.txt").chmod(0)
    with bound_by_rights():
        assert scan() == {"taken": 1, "refused": 1}
        assert "cannot be read" in reasons()["key.txt"]
        assert scan() == {}
    (root / "key.txt").chmod(0o600)

    assert scan() == {"taken": 1}
    assert reasons() == {}


def test_links_hidden_and_half_written_files_are_left(scan, root, allowed):  # noqa: F811
    (allowed.parent / "elsewhere/secret.txt").write_text("not to be read")
    (root / "link.txt").symlink_to(allowed.parent / "elsewhere/secret.txt")
    (root / "way").symlink_to(allowed.parent / "elsewhere")
    (root / ".hidden").write_text("hidden")
    (root / "~$key.docx").write_text("owner")
    (root / "film.part").write_text("half")

    assert scan() == {"taken": 2}


def test_folder_that_became_a_link_is_not_followed(scan, root, folder, allowed):  # noqa: F811
    (allowed / "other").mkdir()
    (allowed / "other/secret.txt").write_text("of another folder")
    root.rename(allowed / "was")
    root.symlink_to(allowed / "other")

    assert scan() == {}

    assert "link" in told(folder)
    assert documents() == {}


@pytest.fixture
def few_at_once(monkeypatch) -> int:
    """How many files one look takes, here far fewer."""
    monkeypatch.setattr("ingest.services.scanning.TAKEN_AT_ONCE", 20)
    return 20


def test_many_files_come_in_portions(folder, root, as_alice, few_at_once):
    for number in range(few_at_once):
        (root / f"{number}.txt").write_text("The same in all.")

    def taken() -> dict[str, int]:
        with time_machine.travel(timezone.now() + timedelta(seconds=10), tick=True):
            return take_all(look(folder, as_alice, deadline=time.monotonic() + 600))

    assert [taken() for _ in range(3)] == [{"taken": few_at_once}, {"taken": 2}, {}]
    assert len(documents()) == 3


def test_many_files_that_are_refused_keep_no_other_from_its_turn(scan, root, few_at_once):
    for number in range(few_at_once + 1):
        (root / f"{number}.txt").touch()

    assert scan() == {"taken": 2, "refused": few_at_once + 1}


def test_look_ends_after_its_time_and_the_next_goes_on(folder, root, as_alice):
    looked = look(folder, as_alice, deadline=time.monotonic() - 1)
    looked.news = list(looked.listing.files)

    assert take_all(looked) == {}
    assert documents() == {}


def test_folder_that_this_host_does_not_have_says_so_until_it_has(scan, root, folder, allowed):  # noqa: F811
    root.rename(allowed / "was")
    scan()
    assert told(folder) == f"On {host_name()}: no such folder."

    (allowed / "was").rename(root)
    scan()
    assert told(folder) == ""
    assert len(documents()) == 2


def test_folder_that_is_allowed_no_more_is_left(scan, folder, settings):
    settings.LONGHAND_WATCH_FOLDERS = []

    assert scan() == {}
    assert "LONGHAND_WATCH_FOLDERS" in told(folder)


def test_stopped_folder_is_left(scan, folder):
    WatchedFolder.objects.update(is_enabled=False)

    assert scan() == {}
    assert documents() == {}


def test_closed_account_takes_nothing_more(scan, folder, alice):
    User.objects.filter(pk=alice.pk).update(is_active=False)

    assert scan() == {}
    assert told(folder) == "alice@example.org has no open account any more."


def test_removed_account_takes_its_folders_along(folder, alice):
    with across_owners():
        alice.delete()
        assert not WatchedFolder.objects.exists()


def test_staff_that_is_none_any_more_gives_nothing_to_everyone(scan, folder, staff):
    WatchedFolder.objects.update(user=staff, scope=Scope.objects.for_everyone())
    User.objects.filter(pk=staff.pk).update(is_staff=False)

    assert scan() == {}
    with acting_as(Principal(staff)):
        assert "for everyone" in told(folder)


def test_folder_whose_person_lost_the_scope_is_left(scan, folder, bob):
    WatchedFolder.objects.update(user=bob)

    assert scan() == {}
    assert "may not write there" in told(folder)
    assert documents() == {}


@pytest.mark.parametrize("text", ["And the greenhouse key hangs behind it.", "The door."])
def test_file_that_changes_after_the_look_waits_for_the_next(scan, folder, root, as_alice, text):
    looked = look(folder, as_alice, deadline=time.monotonic() + 60)
    looked.news = list(looked.listing.files)
    (root / "key.txt").write_text(text)

    assert take_all(looked) == {"taken": 1, "waiting": 1}
    assert documents().keys() == {"ferns.md"}

    assert scan() == {"taken": 1}
    assert documents().keys() == {"key.txt", "ferns.md"}


def test_file_that_a_link_replaces_after_the_look_is_refused(folder, root, as_alice, allowed):  # noqa: F811
    secret = allowed.parent / "elsewhere/secret.txt"
    secret.write_text("not to be read")
    looked = look(folder, as_alice, deadline=time.monotonic() + 60)
    looked.news = list(looked.listing.files)
    (root / "key.txt").unlink()
    (root / "key.txt").symlink_to(secret)

    assert take_all(looked) == {"taken": 1, "refused": 1}
    assert documents().keys() == {"ferns.md"}


def test_document_that_was_deleted_comes_back_with_the_next_change_only(scan, root, as_alice):
    scan()
    delete_document(principal=as_alice, document_id=documents()["key.txt"].pk)
    assert scan() == {}
    (root / "key.txt").write_text("The greenhouse key lies under the pot.")

    scan()

    assert documents()["key.txt"].version == 1


def test_name_that_is_no_text_is_taken(scan, root):
    Path(os.fsdecode(os.fsencode(root) + b"/B\xfccher.txt")).write_text("Books are on shelf two.")

    assert scan() == {"taken": 3}
    assert scan() == {}
    assert "B\\xfccher.txt" in documents()


def test_look_that_is_under_way_on_another_host_is_left_alone(folder):
    with time_machine.travel(timezone.now() + timedelta(seconds=10), tick=True):
        with locks_held(f"job:{SCAN}"):
            scan_task()
        assert documents() == {}
        scan_task()

    assert len(documents()) == 2
