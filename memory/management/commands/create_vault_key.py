"""`manage.py create_vault_key [PATH]`."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.domain.vault_keys import KEY_BYTES, written_vault_key
from memory.management.paths import given_path
from memory.management.sentences import WRONG_USE, one_sentence

FOR_ITS_OWNER = 0o600
NAME = "vault_key"


class Command(BaseCommand):
    """Write a new key for the vault to a file of its own, and say what to set."""

    help = "Write a new key for the vault to a file of its own; it never writes over one."
    requires_system_checks: list[str] = []  # before there is a database

    def add_arguments(self, parser: CommandParser) -> None:
        """PATH."""
        parser.add_argument(
            "path", nargs="?", type=given_path, help=f"instead of {NAME} in LONGHAND_HOME"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the key, then say what to set."""
        path: Path = (options["path"] or settings.LONGHAND_HOME / NAME).absolute()
        with one_sentence():
            _write(path, written_vault_key(os.urandom(KEY_BYTES)))
        self.stdout.write(
            f"{path} has a new key. Set LONGHAND_VAULT_KEY_FILE={path} for every part, and keep a "
            "copy apart from the backups: without it nothing in the vault can be read."
        )


def _write(path: Path, key: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, FOR_ITS_OWNER)
    except FileExistsError:
        raise CommandError(
            f"{path} exists already. Name another path; what a key has sealed needs that key.",
            returncode=WRONG_USE,
        ) from None
    with os.fdopen(descriptor, "w") as file:
        os.fchmod(descriptor, FOR_ITS_OWNER)
        file.write(f"{key}\n")
        file.flush()
        os.fsync(descriptor)
