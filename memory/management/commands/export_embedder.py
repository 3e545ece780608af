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
        self._make_home()
        target = settings.LONGHAND_MODELS / MINILM
        try:
            export_minilm(target)
        except Permanent as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"The embedding model is ready in {target}")

    def _make_home(self) -> None:
        # The first thing that `make run` writes; the home is its owner's alone.
        home = settings.LONGHAND_HOME
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(
                f"LONGHAND_HOME {home} cannot be made: {error.strerror}. Set another place.",
                returncode=2,
            ) from error
