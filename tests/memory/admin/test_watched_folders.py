"""Watched folders in the admin: staff add, change, stop and remove them, inside what is allowed."""

import re
from pathlib import Path

import pytest

from ingest.models import Document, WatchedFile, WatchedFolder
from memory.models import AuditEntry, Scope, User, across_owners
from tests.fixtures import add_document
from tests.ingest.services.test_watching import allowed  # noqa: F401 - a fixture
from tests.memory.admin.conftest import Clerk, said

NOUN = "ingest_watchedfolder"


@pytest.fixture
def at_desk(staff):
    return Clerk(staff, NOUN)


@pytest.fixture
def folder(alice):
    with across_owners():
        return WatchedFolder.objects.create(
            scope=Scope.objects.for_user(alice), user=alice, path="/srv/papers"
        )


def folders() -> list[WatchedFolder]:
    with across_owners():
        return list(WatchedFolder.objects.with_owner())


def add(clerk: Clerk, path: Path | str, scope: Scope, **told: str):
    return clerk.send("add", path=str(path), scope=str(scope.pk), **told)


def test_list_without_a_row_says_what_comes_there_and_how(at_desk):
    shown = at_desk.read().content.decode()
    tokens = Clerk(User.objects.get(is_staff=True), "memory_apitoken").read().content.decode()

    assert "Folders of the host whose files are kept" in shown
    assert ">Add a watched folder</a>" in shown
    assert "Nothing yet. Keys to the API" in tokens
    assert ">Add a token</a>" not in tokens


def test_staff_watch_a_folder_for_themselves_and_for_everyone(at_desk, staff, allowed):  # noqa: F811
    own, everyone = Scope.objects.for_user(staff), Scope.objects.for_everyone()

    page = add(at_desk, allowed / "mine", own, pattern="*.md", tags="home, keys,")
    add(at_desk, allowed / "mine", everyone)

    assert said(page) == ["Added the watched folder."]
    by_scope = {each.scope_id: each for each in folders()}
    first = by_scope[own.pk]
    assert (first.path, first.user) == (f"{allowed}/mine", staff)
    assert (first.pattern, first.tags) == ("*.md", ["home", "keys"])
    assert by_scope[everyone.pk].user == staff
    assert AuditEntry.objects.filter(noun="watched folder", action="added").count() == 2


def test_folder_outside_is_refused_beside_its_field(at_desk, staff, allowed):  # noqa: F811
    page = add(at_desk, allowed.parent / "elsewhere", Scope.objects.for_user(staff))

    assert "not inside one that LONGHAND_WATCH_FOLDERS names" in page.content.decode()
    assert folders() == []


def test_staff_cannot_choose_the_scope_of_another(at_desk, alice, allowed):  # noqa: F811
    page = add(at_desk, allowed / "mine", Scope.objects.for_user(alice))

    assert "not one of the available choices" in page.content.decode()
    assert folders() == []


def test_folder_is_stopped_and_started_where_it_is_allowed(at_desk, staff, allowed, settings):  # noqa: F811
    add(at_desk, allowed / "mine", Scope.objects.for_user(staff))
    pk = folders()[0].pk

    at_desk.send("change", pk, pattern="*.txt", tags="")
    assert (folders()[0].is_enabled, folders()[0].pattern) == (False, "*.txt")
    at_desk.send("change", pk, is_enabled="on", pattern="", tags="")
    assert folders()[0].is_enabled

    at_desk.send("change", pk, pattern="", tags="")
    settings.LONGHAND_WATCH_FOLDERS = []
    page = at_desk.send("change", pk, is_enabled="on", pattern="", tags="")
    assert "LONGHAND_WATCH_FOLDERS" in page.content.decode()
    assert not folders()[0].is_enabled


def test_form_does_not_change_where_a_folder_is_or_whose(at_desk, staff, alice, allowed):  # noqa: F811
    own = Scope.objects.for_user(staff)
    add(at_desk, allowed / "mine", own)
    pk = folders()[0].pk

    told = {"path": "/etc", "scope": str(Scope.objects.for_user(alice).pk), "user": str(alice.pk)}
    at_desk.send("change", pk, is_enabled="on", pattern="", tags="", **told)

    folder = folders()[0]
    assert (folder.path, folder.scope, folder.user) == (f"{allowed}/mine", own, staff)


def test_superuser_sees_what_became_of_each_file_and_stops_the_folder(root, alice, folder):
    document = add_document(alice, "key.txt")
    with across_owners():
        row = {"folder": folder, "scope": folder.scope, "size_bytes": 1, "changed_ns": 1}
        WatchedFile.objects.create(path="key.txt", document=document, **row)
        WatchedFile.objects.create(path="a<b.txt", reason="a<b.txt is empty.", **row)
    clerk = Clerk(root, NOUN)

    page = clerk.read("change", folder.pk).content.decode()
    clerk.send("change", folder.pk, pattern="", tags="")

    told = re.sub(r"\s+", " ", page)
    assert "a&lt;b.txt: a&lt;b.txt is empty." in told
    assert "private rows of other people" in told
    assert not folders()[0].is_enabled


def test_list_tells_how_each_folder_goes(root, folder):
    with across_owners():
        WatchedFolder.objects.update(last_error="On this host: no such folder.")

    page = Clerk(root, NOUN).read().content.decode()

    assert "/srv/papers" in page
    assert "no such folder" in page


def test_removed_folder_leaves_its_documents(root, alice, folder):
    document = add_document(alice, "key.txt")
    with across_owners():
        WatchedFile.objects.create(
            folder=folder, scope=folder.scope, path="key.txt", size_bytes=1, changed_ns=1,
            document=document,
        )  # fmt: skip

    Clerk(root, NOUN).send("delete", folder.pk, post="yes")

    assert folders() == []
    with across_owners():
        assert Document.objects.filter(pk=document.pk).exists()
        assert not WatchedFile.objects.exists()


def test_staff_do_not_find_the_folder_of_another(at_desk, folder):
    assert "/srv/papers" not in at_desk.read().content.decode()
    assert at_desk.read("change", folder.pk).status_code == 404
