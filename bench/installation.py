"""A throw-away Longhand: a home and a database of its own, set up as `up` would."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import django
from django.core.management import call_command

from memory.backends.embedding.export import MINILM, export_minilm
from memory.db.place import place_of
from memory.db.server import start

OURS = ("LONGHAND_", "DATABASE_URL")


@dataclass(frozen=True, slots=True)
class Installation:
    """Where the throw-away Longhand lives."""

    home: Path
    models: Path
    database_url: str

    @property
    def model(self) -> Path:
        """The folder of the exported default model."""
        return self.models / MINILM


@contextmanager
def temporary_installation() -> Iterator[Installation]:
    """A migrated Longhand with the default settings and the real model, gone afterwards.

    Raises: Permanent when the model cannot be exported; DatabaseFailed.
    Side effects: sets up Django, so that a process can have one only.
    """
    models = models_folder()
    export_minilm(models / MINILM)
    with tempfile.TemporaryDirectory(prefix="longhand-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # as root, the database's own user has to reach its part
        place = place_of(folder / "home", root_folder=folder / "database")
        server = start(place)
        if server is None:
            raise RuntimeError(f"Another process runs a database in {folder}.")
        try:
            installation = Installation(place.home, models, place.url)
            _set_up(installation)
            yield installation
        finally:
            server.stop()


def models_folder() -> Path:
    """LONGHAND_MODELS, or a cache that outlives the run, since an export takes a while."""
    chosen = os.environ.get("LONGHAND_MODELS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(chosen) if chosen else cache / "longhand" / "models"


def _set_up(installation: Installation) -> None:
    for name in [name for name in os.environ if name.startswith(OURS)]:
        del os.environ[name]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "dashboard.project.settings",
        "DATABASE_URL": installation.database_url,
        "LONGHAND_HOME": str(installation.home),
        "LONGHAND_MODELS": str(installation.models),
        "LONGHAND_LOG_LEVEL": "WARNING",
        # A benchmark asks more often than any client should.
        "LONGHAND_API_RATE": "1000000",
        "LONGHAND_SECRET_KEY": secrets.token_urlsafe(50),
    }
    (installation.home / "static").mkdir(mode=0o700, parents=True)
    django.setup()
    call_command("migrate", verbosity=0)
