"""An empty path given to a command, as of a variable that is not set, is refused."""

from argparse import Action
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from ingest.models import Document
from memory.management.paths import given_path
from memory.models import across_owners

OWN = {"memory", "ingest", "dashboard"}


def arguments() -> list[tuple[str, Action]]:
    """Every argument of every command of our own."""
    names = [name for name, app in get_commands().items() if app.split(".")[0] in OWN]
    parsers = {name: load_command_class(get_commands()[name], name) for name in names}
    return [
        (name, action)
        for name, command in parsers.items()
        for action in command.create_parser("manage.py", name)._actions
    ]


def test_no_command_takes_a_path_that_may_be_empty() -> None:
    assert [name for name, action in arguments() if action.type is Path] == []
    assert {name for name, action in arguments() if action.type is given_path} == {
        "backup", "create_vault_key", "export", "import", "import_memories", "ingest", "restore",
        "watch",
    }  # fmt: skip


@pytest.mark.parametrize("given", ["", " "])
@pytest.mark.parametrize(
    "words",
    [
        ["backup", "{}"],
        ["create_vault_key", "{}"],
        ["export", "--all", "--output", "{}"],
        ["import", "--all", "{}"],
        ["import_memories", "{}", "--user", "nora@example.org"],
        ["ingest", "notes.txt", "{}"],
        ["restore", "{}"],
        ["watch", "{}"],
        ["watch", "--stop={}"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.django_db
def test_empty_path_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], given: str
) -> None:
    (tmp_path / "notes.txt").write_text("The greenhouse key hangs behind the door.")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(CommandError, match=r"the path is empty. Write \. for the current folder"):
        call_command(*(word.format(given) for word in words))

    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]
    with across_owners():
        assert not Document.objects.exists()
