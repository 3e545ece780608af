"""Each part tells how it is and what to do."""

import pytest
from django.db import connection, connections

from memory.domain.errors import Permanent, Retryable
from memory.services import health
from memory.services.health import PUBLIC_REMEDIES, check_migrations, check_parts, is_ready
from memory.services.workers import heartbeat


def part(name):
    return next(each for each in check_parts() if each.name == name)


@pytest.fixture
def alive(db):
    heartbeat(name="w-1", pid=1)


def test_everything_is_well_and_ready_with_a_worker(alive):
    parts = check_parts()

    assert is_ready(parts)
    assert {each.state for each in parts if each.name != "documents"} == {"ok"}
    assert all(each.detail for each in parts)


def test_database_that_does_not_answer_is_the_only_part_told(alive, monkeypatch):
    broken = connections.create_connection("default")
    broken.settings_dict = {**broken.settings_dict, "HOST": "/nowhere"}
    monkeypatch.setattr(health, "connection", broken)

    (database,) = check_parts()

    assert (database.name, database.state) == ("database", "down")
    assert "DATABASE_URL" in database.remedy


def test_migration_that_is_not_applied_is_down_with_the_remedy(alive):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ingest' AND name LIKE '0002%'")

    migrations = part("migrations")

    assert migrations.state == "down"
    assert migrations.remedy == "Run python manage.py migrate."
    assert not is_ready(check_parts())


@pytest.mark.parametrize(("with_workers", "state"), [(True, "down"), (False, "degraded")])
def test_workers_are_down_only_where_they_belong(db, settings, with_workers, state):
    settings.LONGHAND_WITH_WORKERS = with_workers

    assert part("workers").state == state
    assert is_ready(check_parts()) is not with_workers


def test_embedder_that_cannot_be_loaded_is_degraded_with_its_own_remedy(alive, monkeypatch):
    def broken():
        raise Permanent("Run manage.py export_embedder.")

    monkeypatch.setattr(health, "active_embedder", broken)

    embedder = part("embedder")

    assert (embedder.state, embedder.remedy) == ("degraded", "Run manage.py export_embedder.")
    assert is_ready(check_parts())


class Counted:
    """An embedder that counts how often it was tried."""

    name = "counted"

    def __init__(self):
        self.tries = 0

    def check(self):
        self.tries += 1
        raise Retryable("Check the free memory.")


def test_embedder_is_not_tried_again_at_once_and_then_it_is(alive, monkeypatch):
    embedder, now = Counted(), [0.0]
    monkeypatch.setattr(health, "active_embedder", lambda: embedder)
    monkeypatch.setattr(health, "monotonic", lambda: now[0])

    for _ in range(5):
        part("embedder")
    at_once = embedder.tries
    now[0] = health.EMBEDDER_TRIED_EVERY_SECONDS
    part("embedder")

    assert (at_once, embedder.tries) == (1, 2)


def test_every_part_has_a_remedy_that_anybody_may_read(alive):
    assert {each.name for each in check_parts()} == set(PUBLIC_REMEDIES)


def test_migration_files_are_read_once(alive, django_assert_max_num_queries):
    part("migrations")

    with django_assert_max_num_queries(2):
        assert check_migrations().state == "ok"
    assert health._migrations_needed.cache_info().misses == 1


def test_missing_pandoc_is_degraded_and_names_the_formats(alive, monkeypatch):
    monkeypatch.setattr(health, "find_spec", lambda _name: None)

    pandoc = part("pandoc")

    assert (pandoc.state, "RTF" in pandoc.detail) == ("degraded", True)
    assert "pypandoc_binary" in pandoc.remedy
    assert is_ready(check_parts())
