"""`manage.py create_user EMAIL [--staff]`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.domain.errors import InvalidInput
from memory.services.accounts import create_account, make_sign_in_link


class Command(BaseCommand):
    """Make an account and print its one-time sign-in link."""

    help = "Make an account and print its one-time sign-in link."

    def add_arguments(self, parser: CommandParser) -> None:
        """EMAIL and --staff."""
        parser.add_argument("email")
        parser.add_argument("--staff", action="store_true", help="may write what everyone reads")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the link, or one line that says what is wrong."""
        try:
            user = create_account(options["email"], staff=options["staff"])
        except InvalidInput as error:
            raise CommandError(str(error), returncode=2) from None
        self.stdout.write(make_sign_in_link(user))
