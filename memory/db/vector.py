"""Whether a server has the pgvector that Longhand needs."""

from django.db.backends.base.base import BaseDatabaseWrapper

from memory.db.errors import DatabaseFailed

OLDEST = (0, 8)


def require_vector(connection: BaseDatabaseWrapper) -> None:
    """Make sure that the extension is installed, or can be, in a version that will do.

    Raises: DatabaseFailed with the remedy, django.db.OperationalError.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(installed_version, default_version)"
            " FROM pg_available_extensions WHERE name = 'vector'"
        )
        row = cursor.fetchone()
    oldest = ".".join(map(str, OLDEST))
    if row is None:
        raise DatabaseFailed(
            f"The server in DATABASE_URL has no pgvector. Install pgvector {oldest} or later there."
        )
    if _parsed(row[0]) < OLDEST:
        raise DatabaseFailed(
            f"The database in DATABASE_URL has pgvector {row[0]}; {oldest} or later is needed. "
            "Upgrade it, then run ALTER EXTENSION vector UPDATE."
        )


def _parsed(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
