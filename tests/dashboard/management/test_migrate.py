"""Several hosts that start at once on one empty database."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection, connections

from memory.db.locks import advisory_lock
from memory.models import Scope, User
from memory.services.accounts import ensure_first_account
from memory.services.health import check_migrations
from tests.furnished import empty_database

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
APPLIED = re.compile(r"Applying (\S+)\.\.\. OK")
SECONDS, HOSTS = 120, 8


@pytest.fixture
def nothing_yet() -> Iterator[None]:
    with empty_database():
        yield


def migrating(*options: str) -> subprocess.Popen[str]:
    """A process of its own that migrates the database which Django is connected to."""
    here = urlsplit(os.environ["DATABASE_URL"])
    return subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--no-color", *options],
        env={
            **os.environ,
            "DATABASE_URL": here._replace(path=f"/{connection.settings_dict['NAME']}").geturl(),
        },
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_hosts_that_migrate_at_once_apply_each_migration_once(nothing_yet):
    hosts = [migrating() for _ in range(2)]

    answers = [host.communicate(timeout=SECONDS) for host in hosts]

    assert [host.returncode for host in hosts] == [0, 0], answers
    applied = [name for said, _ in answers for name in APPLIED.findall(said)]
    assert len(applied) == len(set(applied)) > 20
    assert sum("No migrations to apply" in said for said, _ in answers) == 1
    assert check_migrations().state == "ok"


def test_host_that_has_to_wait_says_so_and_looks_are_answered_at_once(nothing_yet):
    with advisory_lock("migrate") as is_held:
        assert is_held
        look, waiting = migrating("--check"), migrating()
        look.communicate(timeout=SECONDS)
        said = waiting.stderr.readline()

        assert look.returncode == 1
        assert waiting.poll() is None

    waiting.communicate(timeout=SECONDS)
    assert "Another process brings this database up to date" in said
    assert waiting.returncode == 0


def test_hosts_that_start_at_once_make_one_first_account(settings):
    settings.LONGHAND_ADMIN_EMAIL = "first@example.org"
    # Made beforehand, for hosts that make it would wait for one another.
    Scope.objects.for_everyone()
    together = Barrier(HOSTS)

    def start(_number: int) -> str | None:
        connection.ensure_connection()
        together.wait(SECONDS)
        try:
            return ensure_first_account()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(HOSTS) as hosts:
        links = list(hosts.map(start, range(HOSTS)))

    assert all(links)
    assert User.objects.filter(email="first@example.org").count() == 1
