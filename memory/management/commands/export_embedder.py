"""manage.py export_embedder: make the default embedding model ready to use."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memory.backends.embedding.export import MINILM, export_minilm
from memory.domain.errors import Permanent


class Command(BaseCommand):
    """Exports the packaged embedding model once; a current export is left alone."""

    help = "Export the default embedding model, so that embedding never loads torch."
    requires_system_checks: list[str] = []  # `make run` calls it before there is a database

    def handle(self, *_args: object, **_options: object) -> None:
        """Export, then say where the model is."""
        target = settings.LONGHAND_MODELS / MINILM
        try:
            export_minilm(target)
        except Permanent as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"The embedding model is ready in {target}")
