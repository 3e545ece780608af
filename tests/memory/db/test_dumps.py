"""The database as one stream: whole or not at all, and no password where others can read it."""

from pathlib import Path

import pytest
from django.db import connection

from memory.db.dumps import address_of, dump, load
from memory.db.errors import DatabaseFailed
from tests.furnished import empty_database

pytestmark = pytest.mark.django_db(transaction=True)


def words() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT word FROM kept ORDER BY id")
        return [word for (word,) in cursor.fetchall()]


def write(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture
def dumped(tmp_path: Path, db: None):
    """Inside an empty database: two rows, of which the second came after the dump."""
    with empty_database():
        write(
            "CREATE EXTENSION vector",
            "CREATE TABLE kept (id serial PRIMARY KEY, word text, direction vector(2))",
            "CREATE VIEW words AS SELECT word FROM kept",
            "INSERT INTO kept (word, direction) VALUES ('first', '[1,0]')",
        )
        file = tmp_path / "dump"
        with file.open("wb") as target:
            dump(address_of(connection.get_connection_params()), target)
        write(
            "INSERT INTO kept (word) VALUES ('second')",
            "CREATE TABLE later (id int GENERATED ALWAYS AS IDENTITY, kept int REFERENCES kept)",
            "CREATE FUNCTION later_too() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        )
        yield file


def test_load_puts_back_the_tables_and_takes_away_what_came_later(dumped):
    load(address_of(connection.get_connection_params()), dumped)

    assert words() == ["first"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('later'), to_regproc('later_too'), direction FROM kept")
        assert cursor.fetchone()[:2] == (None, None)
        cursor.execute("INSERT INTO kept (word) VALUES ('third') RETURNING id")
        assert cursor.fetchone() == (2,)
        cursor.execute("SELECT count(*) FROM words")
        assert cursor.fetchone() == (2,)


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_load_of_a_torn_dump_changes_nothing(dumped, share):
    content = dumped.read_bytes()
    dumped.write_bytes(content[: int(len(content) * share)])

    with pytest.raises(DatabaseFailed, match="pg_restore could not do its work"):
        load(address_of(connection.get_connection_params()), dumped)

    assert words() == ["first", "second"]


def test_address_keeps_the_password_off_the_command_line(monkeypatch):
    monkeypatch.setenv("PGHOST", "elsewhere")

    address = address_of({"host": "db", "user": "lh", "password": "quiet", "sslmode": "require"})

    assert "quiet" not in address.conninfo
    assert address.environment()["PGPASSWORD"] == "quiet"
    assert "PGHOST" not in address.environment()
