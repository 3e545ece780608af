"""Counts are taken live while there is little, and by the job once there is much."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.models import Fact, JobRun, Principal, Scope, ScopeCount, across_owners, acting_as
from memory.services import counts
from memory.services.counts import (
    counts_by_scope,
    counts_of,
    memories_counted,
    recount,
    recount_all,
    tags_counted,
)
from memory.services.facts import forget_fact
from memory.tasks import count_scopes
from tests.fixtures import add_turn, remember


@pytest.fixture
def much(monkeypatch):
    """Two rows are much already."""
    monkeypatch.setattr(counts, "FEW", 1)


def test_counts_of_a_newcomer_are_live(alice):
    count_scopes()
    remember(alice, "The first one.")

    with acting_as(Principal(alice)) as principal:
        found = counts_of(principal)

    assert (found.memories, found.as_of) == (1, None)


def test_counts_tell_each_sort_apart(alice, bob):
    remember(alice, "The demo is on Friday.", kind="event")
    remember(alice, "Ask Mara first.", kind="rule")
    gone = remember(alice, "It rains.")
    add_turn(alice, "ok")
    remember(bob, "Bob's own.")

    with acting_as(Principal(alice)) as principal:
        forget_fact(principal=principal, fact_id=gone.pk)
        found = counts_of(principal)

    assert {kind: tally.number for kind, tally in found.kinds.items()} == {"event": 1, "rule": 1}
    assert (found.memories, found.archived, found.superseded) == (2, 1, 0)
    assert (found.passages, found.turns) == (0, 1)


def test_counts_know_how_many_came_on_each_day(alice):
    now = timezone.now()
    for days in (0, 3, 40):
        fact = remember(alice, f"Something, {days} days ago, said at {now}.")
        with across_owners():
            Fact.objects.filter(pk=fact.pk).update(recorded_at=now - timedelta(days=days, hours=1))
    again = remember(alice, "Another.")
    with across_owners():
        Fact.objects.filter(pk=again.pk).update(recorded_at=now - timedelta(days=3, hours=1))

    with acting_as(Principal(alice)) as principal:
        tally = counts_of(principal).kinds["fact"]

    assert (tally.number, tally.daily[0], tally.daily[3], sum(tally.daily)) == (4, 1, 2, 3)
    assert now - tally.latest_at < timedelta(hours=2)


def test_much_is_as_of_the_last_count(alice, much):
    for number in range(3):
        remember(alice, f"Locker {number} is taken.", tags=("lockers",))
    count_scopes()
    remember(alice, "Locker 7 is taken, too.")

    with acting_as(Principal(alice)) as principal:
        found, listed = counts_of(principal), memories_counted(principal)
        tags = tags_counted(principal)

    assert (found.memories, listed, tags) == (3, 3, {"lockers": 3})
    assert timezone.now() - found.as_of < timedelta(minutes=1)


def test_recount_brings_own_scopes_up_to_date_and_no_others(alice, bob, much):
    for user in (alice, bob):
        for number in range(2):
            remember(user, f"Locker {number} of {user.email} is taken.")
    recount_all()
    remember(alice, "One more.")
    remember(bob, "One more.")

    with acting_as(Principal(alice)) as principal:
        recount(principal)
        own = counts_of(principal).memories
    with acting_as(Principal(bob)) as principal:
        others = counts_of(principal).memories

    assert (own, others) == (3, 2)


def test_what_is_gone_is_counted_no_more(alice, much):
    facts = [remember(alice, f"Locker {number} is taken.") for number in range(3)]
    rule = remember(alice, "Ask first.", kind="rule", tags=("doors",))
    recount_all()
    with across_owners():
        Fact.objects.filter(pk__in=[rule.pk, facts[0].pk]).delete()

    changed = recount_all()

    with across_owners():
        kept = dict(ScopeCount.objects.values_list("what", "number"))
    assert (kept, changed) == ({"memory:fact": 2}, {"changed": 3})


def test_count_that_finds_nothing_new_had_nothing_to_do(alice):
    remember(alice, "Once.")

    count_scopes()
    count_scopes()

    outcomes = JobRun.objects.filter(kind="count-scopes").order_by("pk")
    assert list(outcomes.values_list("outcome", flat=True)) == ["done", "nothing to do"]


def test_counts_go_with_their_scope(alice):
    remember(alice, "Once.")
    recount_all()

    Scope.objects.for_user(alice).delete()

    with across_owners():
        assert not ScopeCount.objects.exists()


@pytest.mark.parametrize("few", [0, 100])
def test_counts_by_scope_are_the_same_live_and_stored(alice, bob, monkeypatch, few):
    remember(alice, "Hers.")
    remember(bob, "His.", kind="rule")
    recount_all()
    monkeypatch.setattr(counts, "FEW", few)

    tallies, as_of = counts_by_scope()

    own = Scope.objects.for_user(alice).pk, Scope.objects.for_user(bob).pk
    assert {key: tally.number for key, tally in tallies.items()} == {
        (own[0], "memory:fact"): 1,
        (own[1], "memory:rule"): 1,
    }
    assert (as_of is None) == (few == 100)


def test_counting_asks_the_same_number_of_queries_for_many(alice, django_assert_num_queries):
    for number in range(12):
        remember(alice, f"Locker {number} is taken.")

    with acting_as(Principal(alice)) as principal, django_assert_num_queries(3):
        assert counts_of(principal).memories == 12
