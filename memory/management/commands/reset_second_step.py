"""`manage.py reset_second_step EMAIL`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memory.management.people import require_person
from memory.services.second_steps import drop_second_steps


class Command(BaseCommand):
    """Let an account sign in by one step, for somebody who lost phone and recovery codes."""

    help = "Let an account sign in by one step, for somebody who lost phone and recovery codes."

    def add_arguments(self, parser: CommandParser) -> None:
        """EMAIL."""
        parser.add_argument("email")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Drop the second steps and say how many there were."""
        user = require_person(options["email"])
        dropped = drop_second_steps(user)
        self.stdout.write(f"{user.email} had {dropped}; all are dropped, and the sessions ended.")
