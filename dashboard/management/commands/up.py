"""Run Longhand."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from dashboard.supervision.failures import one_line_failures
from dashboard.supervision.run import Run
from dashboard.supervision.supervisor import StopRequested, raise_on_signals


class Command(BaseCommand):
    """Database, web process and worker on this machine, until Ctrl-C."""

    help = "Run Longhand on this machine: database, web process and worker."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Options; `manage.py` has already carried them into the settings."""
        parser.add_argument("--port", help="instead of LONGHAND_PORT")
        parser.add_argument("--no-worker", action="store_true", help="leave the queues to others")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until somebody asks for the end."""
        raise_on_signals()
        with one_line_failures(OSError):
            try:
                Run(self._say).until_stopped()
            except StopRequested:
                self._say("Longhand has stopped.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
