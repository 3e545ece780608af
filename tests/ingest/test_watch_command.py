"""`manage.py watch`: a folder is watched, listed and stopped, and nothing else is."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ingest.models import WatchedFolder
from memory.models import User, across_owners
from tests.fixtures import agent_of
from tests.ingest.services.test_watching import allowed  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


def watch(*words: object, user: User) -> list[str]:
    """The lines of the output."""
    out = StringIO()
    call_command("watch", *map(str, words), "--user", user.email, stdout=out)
    return out.getvalue().splitlines()


def folders() -> list[WatchedFolder]:
    with across_owners():
        return list(WatchedFolder.objects.with_owner().order_by("pk"))


def test_folder_is_watched_listed_and_stopped(alice, bob, allowed):  # noqa: F811
    mine = allowed / "mine"

    assert watch(mine, "--tags", "home, keys", "--glob", "*.md", user=alice) == [
        f"watched  {mine} for you"
    ]
    assert watch("--list", user=alice) == [f"watched  {mine} for you"]
    assert watch("--list", user=bob) == ["No folder is watched."]
    assert watch("--stop", mine, user=alice) == [f"stopped  {mine} for you"]

    [folder] = folders()
    assert (folder.user, folder.tags, folder.pattern) == (alice, ["home", "keys"], "*.md")
    assert not folder.is_enabled


def test_path_from_here_is_a_whole_one(alice, allowed, monkeypatch):  # noqa: F811
    monkeypatch.chdir(allowed)

    watch("mine", user=alice)
    watch("--stop", "mine", user=alice)

    assert [(each.path, each.is_enabled) for each in folders()] == [(f"{allowed}/mine", False)]


def test_folder_of_an_agent_and_of_everyone(alice, staff, allowed):  # noqa: F811
    agent = agent_of(alice, "quill")

    watch(allowed, "--scope", "agent:quill", user=alice)
    watch(allowed, "--scope", "global", user=staff)

    assert [(each.scope.kind, each.scope.agent) for each in folders()] == [
        ("agent", agent), ("global", None),
    ]  # fmt: skip


def test_list_tells_what_went_wrong(alice, allowed):  # noqa: F811
    watch(allowed, user=alice)
    with across_owners():
        WatchedFolder.objects.update(last_error="On this host: no such folder.")

    assert watch("--list", user=alice)[0].endswith(": On this host: no such folder.")
    told = json.loads(watch("--list", "--json", user=alice)[0])
    assert (told["path"], told["watched"]) == (str(allowed), True)
    assert told["error"] == "On this host: no such folder."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{top}/elsewhere"], "not inside one .* Choose one that is"),
        (["{allowed}/nowhere"], "is no folder. Check the path."),
        (["{allowed}", "--scope", "global"], "global"),
        (["{allowed}", "--scope", "session"], "conversation"),
        (["{allowed}", "--scope", "everybody"], "Unknown scope"),
        (["--stop", "{allowed}"], "is not watched"),
        (["{allowed}", "--user", "nobody@example.org"], "no account"),
        (["{allowed}", "--list"], "not allowed"),
        ([], "required"),
    ],
)
def test_wrong_call_watches_nothing_and_says_what_to_do(alice, allowed, words, said):  # noqa: F811
    given = [each.format(top=allowed.parent, allowed=allowed) for each in words]
    whose = [] if "--user" in given else ["--user", alice.email]

    with pytest.raises(CommandError, match=said) as error:
        call_command("watch", *given, *whose, stdout=StringIO())

    # What the parser finds wrong ends with 2 where there is no caller to raise it to.
    assert error.value.returncode == 2 or said in {"not allowed", "required"}
    assert folders() == []


def test_nothing_is_watched_where_no_setting_allows_it(alice, tmp_path, settings):
    settings.LONGHAND_WATCH_FOLDERS = []

    with pytest.raises(CommandError, match="LONGHAND_WATCH_FOLDERS"):
        watch(Path(tmp_path), user=alice)
