"""Run the worker alone."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from dashboard.supervision.clusters import Upkeep, queue_children, work
from dashboard.supervision.failures import one_line_failures
from dashboard.supervision.home import prepare_home
from dashboard.supervision.preparation import require_surroundings
from dashboard.supervision.supervisor import (
    StopRequested,
    ignore_signals,
    raise_on_signals,
    stop_together,
)
from memory.services.hosts import host_name


class Command(BaseCommand):
    """The part that does what was queued, and the upkeep."""

    help = "Run the queues and the upkeep alone, as `up` does; other hosts may run more."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Options."""
        parser.add_argument("--name", default=host_name(), help="unique in one database")
        parser.add_argument("--no-check", action="store_true", help="start whatever is missing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until SIGTERM."""
        raise_on_signals()
        children = queue_children()
        with one_line_failures(OSError):
            try:
                prepare_home(settings.LONGHAND_HOME)
                if not options["no_check"]:
                    require_surroundings()
                work(children, Upkeep(options["name"], settings.LONGHAND_HEARTBEAT_SECONDS))
            except StopRequested:
                ignore_signals()
            finally:
                stop_together(children)
