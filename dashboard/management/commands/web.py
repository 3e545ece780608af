"""Run the web process alone."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from dashboard.supervision.failures import one_line_failures
from dashboard.supervision.home import prepare_home
from dashboard.supervision.ports import open_listener
from dashboard.supervision.preparation import collect_static, require_surroundings
from dashboard.supervision.web import serve


class Command(BaseCommand):
    """The part that answers browsers and agents."""

    help = "Run the web process alone, as `up` does; other hosts may run more."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Options; `manage.py` has already carried them into the settings."""
        parser.add_argument("--port", help="instead of LONGHAND_PORT")
        parser.add_argument("--no-check", action="store_true", help="start whatever is missing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until SIGTERM."""
        with one_line_failures(OSError):
            prepare_home(settings.LONGHAND_HOME)
            listener = open_listener(settings.LONGHAND_HOST, settings.LONGHAND_PORT)
            if not options["no_check"]:
                require_surroundings()
                collect_static()
            serve(listener)
