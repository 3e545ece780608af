"""`manage.py restore FILE [--replace]`."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from dashboard.supervision.home import lock_home, prepare_home
from memory.management.paths import given_path
from memory.management.sentences import one_sentence
from memory.services.health import check_embedder
from memory.services.transfer.restore import restore_backup


class Command(BaseCommand):
    """Put a backup back, with Longhand stopped."""

    help = "Put a backup back: the database, the files and the key. Longhand must be stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE and --replace."""
        parser.add_argument("file", type=given_path)
        parser.add_argument(
            "--replace", action="store_true", help="give up what this installation holds now"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Restore, then say what came back and what this home still lacks."""
        with one_sentence():
            prepare_home(settings.LONGHAND_HOME)
            # Held to the end, so that `up` does not start in the middle.
            lock = lock_home(settings.LONGHAND_HOME)
            try:
                counts = restore_backup(options["file"], replace=options["replace"])
            finally:
                os.close(lock)
        self.stdout.write(f"The database and the stored files ({counts['files']:,}) are back.")
        # A backup has no model: it is made from its package, once on each host.
        embedder = check_embedder()
        if embedder.state != "ok":
            self.stdout.write(f"One step first, to find by meaning too. {embedder.remedy}")
        self.stdout.write("Start it with manage.py up.")
