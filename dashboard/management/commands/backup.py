"""`manage.py backup FILE`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memory.management.paths import given_path
from memory.management.sentences import one_sentence
from memory.services.transfer.backup import make_backup


class Command(BaseCommand):
    """Write the whole database and every stored file to one archive."""

    help = "Write the whole database and every stored file to one archive; Longhand may be running."

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE and --without-key."""
        parser.add_argument("file", type=given_path)
        parser.add_argument(
            "--without-key", action="store_true", help="leave out the key that signs sessions"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the archive, then say what it holds."""
        with one_sentence():
            counts = make_backup(options["file"], with_keys=not options["without_key"])
        self.stdout.write(
            f"{options['file']} holds the database and the stored files ({counts['files']:,}), "
            f"{counts['bytes'] / 1e6:,.1f} MB. Keep it as safe as the data itself."
        )
