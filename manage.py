#!/usr/bin/env python
"""Longhand's command line."""

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.project.settings")
    from dashboard.supervision.command_line import prepare_environment
    from dashboard.supervision.failures import one_line_failures

    prepare_environment(sys.argv)
    with one_line_failures(OSError):
        # Read here, so that a wrong setting is told apart from a fault in the command.
        from django.conf import settings

        _ = settings.DEBUG

    from django.core.management import execute_from_command_line

    with one_line_failures():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
