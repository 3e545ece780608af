import pytest
from django.db import connection

from memory.db.errors import DatabaseFailed
from memory.db.vector import require_vector

pytestmark = pytest.mark.django_db


def pretend_available(name: str, default: str, installed: str | None) -> None:
    """A temporary table is found before the system view of the same name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE pg_available_extensions ON COMMIT DROP AS"
            " SELECT %s::text AS name, %s::text AS default_version, %s::text AS installed_version",
            [name, default, installed],
        )


def refusal() -> str:
    """Why the server is refused; empty when it is accepted."""
    try:
        require_vector(connection)
    except DatabaseFailed as failed:
        return str(failed)
    return ""


def test_server_is_accepted_when_it_has_pgvector() -> None:
    assert refusal() == ""

    pretend_available("vector", "0.8.5", None)
    assert refusal() == ""


def test_server_is_refused_when_it_has_no_pgvector() -> None:
    pretend_available("hstore", "1.8", None)

    assert "no pgvector" in refusal()


def test_server_is_refused_when_installed_pgvector_is_too_old() -> None:
    pretend_available("vector", "0.8.5", "0.7.4")

    assert "pgvector 0.7.4" in refusal()
