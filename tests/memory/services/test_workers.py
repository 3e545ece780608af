"""Beats of workers, and what one of them does for all."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django_q.models import OrmQ

from memory.models import WorkerBeat
from memory.services.queue import SLOW, enqueue
from memory.services.workers import (
    dead_after_seconds,
    forget_old_beats,
    heartbeat,
    queue_depth,
    tick,
    workers_alive,
)
from tests.elsewhere import locks_held

upkeep_done: list[str] = []


def upkeep():
    upkeep_done.append("once for all")


def host_upkeep():
    upkeep_done.append("for this host")


@pytest.fixture
def counted_upkeep(settings):
    settings.LONGHAND_UPKEEP = [f"{__name__}.upkeep"]
    settings.LONGHAND_HOST_UPKEEP = [f"{__name__}.host_upkeep"]
    upkeep_done.clear()


def test_beat_of_a_worker_is_one_row_that_moves(db):
    heartbeat(name="w-1", pid=1)
    first = WorkerBeat.objects.get()
    with time_machine.travel(timezone.now() + timedelta(seconds=30)):
        heartbeat(name="w-1", pid=1)

    beat = WorkerBeat.objects.get()
    assert beat.beat_at > first.beat_at
    assert beat.started_at == first.started_at


def test_worker_that_takes_the_place_of_another_has_a_start_of_its_own(db):
    heartbeat(name="w-1", pid=1)
    first = WorkerBeat.objects.get()
    with time_machine.travel(timezone.now() + timedelta(seconds=30)):
        heartbeat(name="w-1", pid=2)

    beat = WorkerBeat.objects.get()
    assert beat.pid == 2
    assert beat.started_at == beat.beat_at > first.started_at


def test_worker_is_dead_once_it_was_silent_for_the_time_that_is_set(db, settings):
    settings.LONGHAND_HEARTBEAT_SECONDS = 40
    heartbeat(name="w-1", pid=1)

    assert dead_after_seconds() == 40
    with time_machine.travel(timezone.now() + timedelta(seconds=39)):
        assert workers_alive() == 1
    with time_machine.travel(timezone.now() + timedelta(seconds=41)):
        assert workers_alive() == 0


def test_worker_that_was_silent_for_a_day_is_forgotten(db):
    with time_machine.travel(timezone.now() - timedelta(hours=25)):
        heartbeat(name="old", pid=1)
    heartbeat(name="new", pid=2)

    forget_old_beats()

    assert WorkerBeat.objects.get().name == "new"


def test_queue_counts_what_waits_on_every_cluster(db):
    enqueue("memory.tasks.embed_scope", "id")
    enqueue("ingest.tasks.read_next_document", cluster=SLOW)

    assert queue_depth() == 2
    assert set(OrmQ.objects.values_list("key", flat=True)) == {"quick", "slow"}


@pytest.mark.django_db(transaction=True)
def test_bell_is_rung_at_the_commit_or_never():
    from django.db import transaction

    with pytest.raises(ZeroDivisionError), transaction.atomic():
        enqueue("memory.tasks.embed_scope", "id")
        raise ZeroDivisionError

    assert queue_depth() == 0


def test_tick_does_the_work_of_the_host_and_of_all(db, counted_upkeep):
    tick()

    assert upkeep_done == ["for this host", "once for all"]


@pytest.mark.django_db(transaction=True)
def test_tick_leaves_the_work_for_all_to_the_host_that_does_it_now(counted_upkeep):
    with locks_held("upkeep"):
        tick()

    assert upkeep_done == ["for this host"]
    tick()
    assert upkeep_done[1:] == ["for this host", "once for all"]
