"""`manage.py export (--user EMAIL | --all) --output PATH`."""

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandParser

from ingest.services.transfer.exporting import export_people
from memory.management.paths import given_path
from memory.management.people import require_person
from memory.management.sentences import one_sentence
from memory.models import Principal, User
from memory.services.transfer.archives import new_folder, new_zip

if TYPE_CHECKING:
    from pathlib import Path


# What is counted, where its file is called otherwise.
WORDS = {
    "members": "files inside documents",
    "facts": "memories and passages",
    "usage": "records of use",
    "history": "changes",
    "credentials": "secrets in the vault",
}


class Command(BaseCommand):
    """Write what one person, or everybody, has here as JSON lines and files."""

    help = "Write what one person, or everybody, has here as JSON lines and files."

    def add_arguments(self, parser: CommandParser) -> None:
        """--user or --all, and --output."""
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--user", metavar="EMAIL")
        whose.add_argument("--all", action="store_true", help="every person, and what all read")
        parser.add_argument(
            "--output",
            required=True,
            type=given_path,
            metavar="PATH",
            help="a new folder, or a .zip",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the export, then say what it holds."""
        path: Path = options["output"]
        people = (
            list(User.objects.order_by("pk"))
            if options["all"]
            else [require_person(options["user"])]
        )
        with one_sentence():
            making = new_zip(path, compressed=True) if path.suffix == ".zip" else new_folder(path)
            with making as sink:
                readers = [Principal(person) for person in people]
                described = export_people(readers, sink, everyone=options["all"])
        for each in described:
            self._say(each)
        self.stdout.write(
            f"{path} is written. Vectors are not in it; they are made again. Of the vault it tells "
            "what is there, and no value."
        )

    def _say(self, described: dict[str, Any]) -> None:
        counted = described["counts"].items()
        told = ", ".join(f"{WORDS.get(noun, noun)} {count:,}" for noun, count in counted if count)
        self.stdout.write(f"{described['email'] or 'everyone'}: {told or 'nothing yet'}.")
        for name in described["missing_files"]:
            self.stderr.write(f"The file of {name} is gone from the storage; the export has none.")
