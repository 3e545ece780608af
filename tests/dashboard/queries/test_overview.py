"""Counts, growth and jobs behind the overview and the side bar."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.queries.overview import jobs, kinds, store_bytes
from dashboard.queries.shell import shell_counts
from memory.models import Fact, JobRun, Principal, User
from tests.fixtures import remember

pytestmark = pytest.mark.django_db


def test_shell_counts_take_one_query(
    as_alice: Principal, fact: Fact, django_assert_num_queries: Any
) -> None:
    assert as_alice.ceiling

    with django_assert_num_queries(1):
        counts = shell_counts(as_alice)

    assert (counts.memories, counts.documents, counts.failed) == (1, 0, 0)


def test_kinds_tell_how_each_kind_grew(as_alice: Principal, alice: User) -> None:
    now = timezone.now()
    for days in (0, 10, 40):
        fact = remember(alice, f"Event {days} days ago.", kind="event")
        Fact.objects.filter(pk=fact.pk).update(recorded_at=now - timedelta(days=days))

    row = next(row for row in kinds(as_alice, now) if row.kind == "event")

    assert (row.active, row.week) == (3, 1)
    assert (row.month[0], row.month[18], row.month[19], row.month[-1]) == (1, 1, 2, 3)


def test_jobs_show_the_last_forty_runs_oldest_first(alice: User, bob: User) -> None:
    start = timezone.now() - timedelta(hours=2)
    outcomes = ["done"] * 45 + ["failed", "nothing to do", "lost"]
    for minute, outcome in enumerate(outcomes):
        JobRun.objects.create(
            kind="embed", outcome=outcome, started_at=start + timedelta(minutes=minute)
        )
    JobRun.objects.create(kind="secret", owner=bob, outcome="done")

    (row,) = jobs(Principal(alice))

    assert len(row.outcomes) == 40
    assert row.outcomes[-3:] == ["bad", "none", "bad"]
    assert row.failed == 2


def test_store_bytes_is_the_size_of_this_database() -> None:
    assert 1_000_000 < store_bytes() < 1_000_000_000
