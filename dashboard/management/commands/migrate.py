"""`manage.py migrate`, by one process at a time."""

from typing import Any

from django.core.management.commands import migrate

from memory.db.locks import patient_lock

LOCK = "migrate"


class Command(migrate.Command):
    """Django's own, which waits for another that works on the same database."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Bring the schema up to this version, or look how far it is."""
        if options["check_unapplied"] or options["plan"]:
            super().handle(*args, **options)
            return
        with patient_lock(LOCK, self._say_that_it_waits):
            super().handle(*args, **options)

    def _say_that_it_waits(self) -> None:
        self.stderr.write("Another process brings this database up to date. Waiting for it.")
