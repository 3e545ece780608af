"""The state of each part that Longhand needs, and what to do when one fails."""

from dataclasses import asdict, dataclass
from typing import Literal

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from memory.domain.errors import Permanent, Retryable
from memory.models import active_embedder
from memory.services.probes import PARSER, failing
from memory.services.workers import workers_alive

State = Literal["ok", "degraded", "down"]


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part: how it is, and the remedy if it is not well."""

    name: str
    state: State
    detail: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """The part as clients see it."""
        return asdict(self)


def check_parts() -> list[PartHealth]:
    """Every part, in the order in which they need each other."""
    database = check_database()
    if database.state == "down":
        return [database]
    return [database, check_migrations(), check_workers(), check_embedder(), check_parser()]


def is_ready(parts: list[PartHealth]) -> bool:
    """Whether Longhand can do its work; degraded parts do not stop it."""
    return all(part.state != "down" for part in parts)


def check_database() -> PartHealth:
    """Whether the database answers and can hold vectors."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
            row = cursor.fetchone()
    except Error:
        remedy = "Start Longhand again, or check the server in DATABASE_URL."
        return PartHealth("database", "down", "It does not answer.", remedy)
    if row is None:
        remedy = "Run CREATE EXTENSION vector in it as a superuser."
        return PartHealth("database", "down", "It has no pgvector.", remedy)
    return PartHealth("database", "ok", f"PostgreSQL with pgvector {row[0]}")


def check_migrations() -> PartHealth:
    """Whether the tables are those that this version needs."""
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if waiting:
        remedy = "Run python manage.py migrate."
        return PartHealth("migrations", "down", f"{waiting} are not applied.", remedy)
    return PartHealth("migrations", "ok", "All applied")


def check_workers() -> PartHealth:
    """Whether somebody does the work that is queued."""
    alive = workers_alive()
    if alive:
        return PartHealth("workers", "ok", f"{alive} alive")
    state: State = "down" if settings.LONGHAND_WITH_WORKERS else "degraded"
    remedy = "Run python manage.py worker, or start Longhand without --no-worker."
    return PartHealth("workers", state, "None was heard from lately.", remedy)


def check_embedder() -> PartHealth:
    """Whether meaning can be searched; without it, words still can."""
    try:
        embedder = active_embedder()
        embedder.check()
    except (Permanent, Retryable) as error:
        detail = "What is new is found by its words only."
        return PartHealth("embedder", "degraded", detail, str(error))
    return PartHealth("embedder", "ok", embedder.name)


def check_parser() -> PartHealth:
    """Whether documents can be read, and what they cannot be read by yet."""
    failures = failing(PARSER)
    if failures:
        detail = "None can be read now; those that wait are read later."
        return PartHealth("documents", "degraded", detail, failures[0])
    remedy = "Scanned pages need OCR, which this version does not have."
    return PartHealth("documents", "ok", "Text PDF, Word, Markdown, HTML and plain text", remedy)
