"""`manage.py load_demo [--user EMAIL]`."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from dashboard.demo import load_demo
from dashboard.supervision.preparation import migrate
from memory.management.people import require_person
from memory.services.accounts import ensure_first_account


class Command(BaseCommand):
    """Give an account the sample conversations and documents."""

    help = "Give an account the sample conversations and documents; workers then read them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose account."""
        parser.add_argument("--user", metavar="EMAIL", help="instead of the first account")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Add what is missing of the samples, and say how much that was."""
        migrate()
        ensure_first_account()
        user = require_person(options["user"] or settings.LONGHAND_ADMIN_EMAIL)
        added = load_demo(user, timezone.now())
        self.stdout.write(
            f"Added to {user.email}: {added['turns']} turns, which gave {added['facts']} memories,"
            f" and {added['documents']} documents."
        )
