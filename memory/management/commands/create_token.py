"""`manage.py create_token --user EMAIL [--agent NAME]`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.domain.errors import InvalidInput
from memory.management.people import require_person
from memory.services.accounts import create_token


class Command(BaseCommand):
    """Print a new API token; it is shown this once."""

    help = "Print a new API token; it is shown this once."

    def add_arguments(self, parser: CommandParser) -> None:
        """--user, --agent and --name."""
        parser.add_argument("--user", required=True, metavar="EMAIL")
        parser.add_argument("--agent", metavar="NAME", help="bind the token to this agent")
        parser.add_argument("--name", default="", help="what the token is for")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the token, or one line that says what is wrong."""
        user = require_person(options["user"])
        try:
            secret = create_token(user, agent=options["agent"], name=options["name"])
        except InvalidInput as error:
            raise CommandError(str(error), returncode=2) from None
        self.stdout.write(secret)
