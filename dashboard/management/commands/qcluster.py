"""Run one queue, in place of django-q's command of the same name."""

from typing import Any

from django_q import cluster
from django_q.management.commands import qcluster

from dashboard.supervision.queues import Sentinel


class Command(qcluster.Command):  # type: ignore[misc]  # django-q has no types
    """One queue and its processes."""

    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until SIGTERM."""
        # The cluster names its watcher by the module's global.
        cluster.Sentinel = Sentinel
        super().handle(*args, **options)
