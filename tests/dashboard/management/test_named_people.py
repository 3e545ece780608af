"""Commands that are given somebody's address."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

COMMANDS = [
    ("sign_in_link", []),
    ("create_token", ["--user"]),
    ("reset_second_step", []),
    ("export", ["--output", "never-written.zip", "--user"]),
]


def said_by(command: str, options: list[str], email: str) -> str:
    with pytest.raises(CommandError) as refusal:
        call_command(command, *options, email)
    assert refusal.value.returncode == 2
    return str(refusal.value)


@pytest.mark.parametrize(("command", "options"), COMMANDS)
def test_closed_account_is_called_closed(alice, command, options):
    alice.is_active = False
    alice.save()

    assert said_by(command, options, alice.email) == (
        f"The account of {alice.email} is closed. Staff can open it again under People."
    )


@pytest.mark.parametrize(("command", "options"), COMMANDS)
def test_address_without_an_account_is_told_how_to_get_one(db, command, options):
    said = said_by(command, options, "nobody@example.org")

    assert said.endswith("manage.py create_user nobody@example.org")
