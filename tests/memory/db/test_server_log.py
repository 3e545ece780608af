"""What people wrote never reaches the log of the embedded server."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from memory.db.place import Place
from memory.db.server import Server, start
from tests.memory.db.conftest import FAST

pytestmark = pytest.mark.slow

PRIVATE = "zebrafinch nests in the tower"
TABLE = """
CREATE TABLE said (
    text text UNIQUE,
    length int CHECK (length < 5),
    other int REFERENCES said_of (id)
)
"""
UNIQUE = f"INSERT INTO said VALUES ('{PRIVATE}')"
CHECK = f"INSERT INTO said VALUES ('{PRIVATE}!', 9)"
FOREIGN = f"INSERT INTO said VALUES ('{PRIVATE}?', 1, 7)"
DIVISION = f"SELECT 1 / 0 WHERE '{PRIVATE}' <> ''"
FAILING = [
    (psycopg.errors.UniqueViolation, UNIQUE, "violates unique constraint"),
    (psycopg.errors.CheckViolation, CHECK, "violates check constraint"),
    (psycopg.errors.ForeignKeyViolation, FOREIGN, "violates foreign key constraint"),
    (psycopg.errors.DivisionByZero, DIVISION, "division by zero"),
]


@pytest.fixture
def server(used_place: Place) -> Iterator[Server]:
    started = start(used_place, settings=FAST)
    assert started is not None
    yield started
    started.stop()


def log_of(place: Place, *, until: str) -> str:
    """All that the server has written, once it holds these words."""
    deadline = time.monotonic() + 10
    while True:
        files = [place.log, *place.logs.glob("*")]
        text = "\n".join(file.read_text(errors="replace") for file in files)
        if until in text or time.monotonic() > deadline:
            return text
        time.sleep(0.05)


def test_log_names_each_failure_without_the_words_of_its_statement(server: Server) -> None:
    with psycopg.connect(server.place.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE said_of (id int PRIMARY KEY)")
        connection.execute(TABLE)
        connection.execute("INSERT INTO said VALUES (%s)", [PRIVATE])
        for error, statement, _ in FAILING:
            with pytest.raises(error):
                connection.execute(statement)
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO said VALUES (%s)", [PRIVATE])

    log = log_of(server.place, until=FAILING[-1][2])

    for _, _, reason in FAILING:
        assert reason in log
    assert "zebrafinch" not in log


def test_log_of_a_deadlock_holds_no_statement(server: Server) -> None:
    url, change = server.place.url, f"UPDATE said SET text = '{PRIVATE}' WHERE id = %s"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE said (id int PRIMARY KEY, text text)")
        connection.execute("INSERT INTO said VALUES (1, ''), (2, '')")
    with (
        psycopg.connect(url) as first,
        psycopg.connect(url) as second,
        ThreadPoolExecutor() as pool,
    ):
        # The first never gives up, so that the second is the one to be ended.
        first.execute("SET deadlock_timeout = '1min'")
        first.execute(change, [1])
        second.execute(change, [2])
        waiting = pool.submit(first.execute, change, [2])
        with pytest.raises(psycopg.errors.DeadlockDetected):
            second.execute(change, [1])
        second.rollback()
        waiting.result(timeout=30)

    log = log_of(server.place, until="deadlock detected")

    assert "deadlock detected" in log
    assert "zebrafinch" not in log
