"""Counts and growth behind the overview and the side bar."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.queries.overview import kind_rows, store_bytes
from dashboard.queries.shell import shell_counts
from memory.models import Fact, JobRun, Principal, User
from memory.services import counts
from memory.services.counts import counts_of, recount_all
from tests.fixtures import remember

pytestmark = pytest.mark.django_db


def test_shell_counts_take_two_queries(
    as_alice: Principal, fact: Fact, bob: User, django_assert_num_queries: Any
) -> None:
    JobRun.objects.create(kind="embed", outcome="failed", owner=as_alice.user)
    JobRun.objects.create(kind="embed", outcome="failed", owner=bob)
    assert as_alice.ceiling

    with django_assert_num_queries(2):
        shown = shell_counts(as_alice)

    assert (shown.memories, shown.documents, shown.failed) == (1, 0, 0)
    assert shown.jobs_gone_wrong == 1


def test_shell_shows_many_memories_as_of_their_last_count(
    as_alice: Principal,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Any,
) -> None:
    monkeypatch.setattr(counts, "FEW", 1)
    for number in range(2):
        remember(alice, f"Locker {number} is taken.")
    recount_all()
    remember(alice, "Locker 9 is taken.")
    assert as_alice.ceiling

    with django_assert_num_queries(2):
        assert shell_counts(as_alice).memories == 2


def test_kinds_tell_how_each_kind_grew(as_alice: Principal, alice: User) -> None:
    now = timezone.now()
    for days in (0, 10, 40):
        fact = remember(alice, f"Event {days} days ago.", kind="event")
        Fact.objects.filter(pk=fact.pk).update(recorded_at=now - timedelta(days=days))

    row = next(row for row in kind_rows(counts_of(as_alice)) if row.kind == "event")

    assert (row.active, row.week) == (3, 1)
    assert (row.month[0], row.month[18], row.month[19], row.month[-1]) == (1, 1, 2, 3)


def test_store_bytes_is_the_size_of_this_database() -> None:
    assert 1_000_000 < store_bytes() < 1_000_000_000
