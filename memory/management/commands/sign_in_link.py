"""`manage.py sign_in_link EMAIL`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memory.management.people import require_person
from memory.services.accounts import make_sign_in_link


class Command(BaseCommand):
    """Print a one-time sign-in link for an account."""

    help = "Print a one-time sign-in link for an account."

    def add_arguments(self, parser: CommandParser) -> None:
        """EMAIL."""
        parser.add_argument("email")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the link, or one line that says what is wrong."""
        self.stdout.write(make_sign_in_link(require_person(options["email"])))
