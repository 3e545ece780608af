"""`manage.py import PATH (--user EMAIL | --all) [--dry-run]`."""  # noqa: N999 - Django names commands so

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ingest.services.transfer.importing import Outcome, import_rows
from ingest.services.transfer.nouns import FORM, VERSION
from ingest.services.transfer.people import account_of, folders_in, only_folder
from memory.db.statistics import refresh_statistics
from memory.management.paths import given_path
from memory.management.people import require_person
from memory.management.sentences import one_sentence
from memory.services.transfer.opening import Archive, open_archive


class Command(BaseCommand):
    """Put an export back; what is here already stays as it is."""

    help = "Put an export back; what is here already stays as it is."

    def add_arguments(self, parser: CommandParser) -> None:
        """PATH, --user or --all, and --dry-run."""
        parser.add_argument("path", type=given_path, help="a folder or .zip that export wrote")
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--user", metavar="EMAIL", help="whose it becomes")
        whose.add_argument("--all", action="store_true", help="each to the account of its e-mail")
        parser.add_argument("--dry-run", action="store_true", help="check and count, keep nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import, then say what is new."""
        user = require_person(options["user"]) if options["user"] else None
        dry_run: bool = options["dry_run"]
        with one_sentence(), open_archive(options["path"], form=FORM, version=VERSION) as archive:
            archive.verify()
            if user:
                folder = only_folder(archive)
                self._say(user.email, import_rows(archive, folder, user, dry_run=dry_run))
            else:
                self._import_all(archive, dry_run=dry_run)
            refresh_statistics()
        if dry_run:
            self.stdout.write("Nothing was kept: this was a dry run.")

    def _import_all(self, archive: Archive, *, dry_run: bool) -> None:
        for each in folders_in(archive):
            with account_of(each, dry_run=dry_run) as person:
                outcomes = import_rows(archive, each.folder, person, dry_run=dry_run)
            self._say(each.email or "everyone", outcomes)

    def _say(self, whose: str, outcomes: list[Outcome]) -> None:
        told = [
            f"{each.noun} {each.new:,} new" + (f" of {each.told:,}" if each.new < each.told else "")
            for each in outcomes
            if each.told
        ]
        self.stdout.write(f"{whose}: {', '.join(told) or 'nothing to import'}.")
