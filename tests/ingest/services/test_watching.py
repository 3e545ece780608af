"""Which folders may be watched: none, until the settings name them."""

from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied

from ingest.models import WatchedFolder
from ingest.services.watching import (
    change_watching,
    folders_of,
    forget_folder,
    watch_folder,
)
from memory.domain.errors import InvalidInput
from memory.models import Principal, Scope, acting_as
from tests.fixtures import add_turn


@pytest.fixture
def allowed(settings, tmp_path: Path) -> Path:
    """A folder in which folders may be watched, with one in it; Longhand's own is elsewhere."""
    settings.LONGHAND_HOME = tmp_path / "home"
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path / "files")},
        },
    }
    allowed = (tmp_path / "papers").resolve()
    (allowed / "mine").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    settings.LONGHAND_WATCH_FOLDERS = [allowed]
    return allowed


@pytest.fixture
def watch(alice, as_alice):
    def watched(path, **how) -> WatchedFolder:
        scope = how.pop("scope", None) or Scope.objects.for_user(alice)
        return watch_folder(principal=as_alice, scope=scope, path=str(path), **how)

    return watched


def test_folder_inside_an_allowed_one_is_watched(watch, allowed, alice):
    folder = watch(allowed / "mine", pattern="*.pdf", tags=("home",))

    assert (folder.path, folder.user, folder.is_enabled) == (str(allowed / "mine"), alice, True)
    assert (folder.pattern, folder.tags) == ("*.pdf", ["home"])


def test_allowed_folder_itself_may_be_watched(watch, allowed):
    assert watch(allowed).path == str(allowed)


def test_nothing_may_be_watched_until_a_setting_names_it(watch, allowed, settings):
    settings.LONGHAND_WATCH_FOLDERS = []

    with pytest.raises(InvalidInput, match="LONGHAND_WATCH_FOLDERS"):
        watch(allowed / "mine")


@pytest.mark.parametrize(
    "path",
    [
        "{top}/elsewhere", "{top}", "/", "/etc", "{allowed}/../elsewhere", "{allowed}2",
        "{allowed}/mine/../../elsewhere", "{allowed}/way", "{allowed}/way/deeper",
    ],
)  # fmt: skip
def test_folder_outside_is_refused_however_it_is_spelled(watch, allowed, path):
    (allowed / "way").symlink_to(allowed.parent / "elsewhere")
    (allowed.parent / "papers2").mkdir()

    with pytest.raises(InvalidInput, match="not inside"):
        watch(path.format(top=allowed.parent, allowed=allowed))

    assert not WatchedFolder.objects.exists()


@pytest.mark.parametrize("path", ["papers", "", "/a\0b", "/a\nb\x07", "/" + "x" * 2_000, "/\udcff"])
def test_what_is_no_whole_path_is_refused(watch, allowed, path):
    with pytest.raises(InvalidInput):
        watch(path)


def test_allowed_folder_that_is_a_link_is_where_it_leads(watch, allowed, settings, tmp_path):
    (tmp_path / "link").symlink_to(allowed)
    settings.LONGHAND_WATCH_FOLDERS = [tmp_path / "link"]

    assert watch(tmp_path / "link/mine").path == str(allowed / "mine")


@pytest.mark.parametrize("own", ["home", "home/deeper", "files", "."])
def test_longhand_s_own_folders_are_refused(watch, allowed, settings, own):
    settings.LONGHAND_WATCH_FOLDERS = [allowed.parent]

    with pytest.raises(InvalidInput, match="its own data"):
        watch(allowed.parent / own)


def test_folder_that_is_named_again_is_told_anew_how(watch, allowed):
    first = watch(allowed / "mine", pattern="*.pdf")

    again = watch(allowed / "mine/../mine", tags=("home",))

    assert (again.pk, again.pattern, again.tags) == (first.pk, "", ["home"])


def test_shared_documents_take_staff(watch, allowed, staff):
    everyone = Scope.objects.for_everyone()
    with pytest.raises(PermissionDenied):
        watch(allowed / "mine", scope=everyone)

    with acting_as(Principal(staff, may_write_global=True)) as principal:
        folder = watch_folder(principal=principal, scope=everyone, path=str(allowed / "mine"))

    assert folder.user == staff


def test_conversation_takes_no_folder(watch, allowed, alice):
    talk = Scope.objects.for_conversation(add_turn(alice, "Hello").conversation)

    with pytest.raises(InvalidInput, match="conversation"):
        watch(allowed / "mine", scope=talk)


def test_folder_is_stopped_and_watched_again(watch, allowed, as_alice, settings):
    folder = watch(allowed / "mine")

    stopped = change_watching(principal=as_alice, folder_id=folder.pk, is_enabled=False)
    assert not stopped.is_enabled
    assert change_watching(principal=as_alice, folder_id=folder.pk, is_enabled=True).is_enabled

    settings.LONGHAND_WATCH_FOLDERS = []
    with pytest.raises(InvalidInput):
        change_watching(principal=as_alice, folder_id=folder.pk, is_enabled=True)


def test_folder_of_another_is_unknown(watch, allowed, bob):
    folder = watch(allowed / "mine")

    with acting_as(Principal(bob)) as principal:
        assert folders_of(principal) == []
        with pytest.raises(WatchedFolder.DoesNotExist):
            change_watching(principal=principal, folder_id=folder.pk, is_enabled=False)
        with pytest.raises(WatchedFolder.DoesNotExist):
            forget_folder(principal=principal, folder_id=folder.pk)


@pytest.mark.parametrize("pattern", ["/etc/*", "*" * 300])
def test_pattern_that_is_none_is_refused(watch, allowed, pattern):
    with pytest.raises(InvalidInput, match="pattern"):
        watch(allowed / "mine", pattern=pattern)
