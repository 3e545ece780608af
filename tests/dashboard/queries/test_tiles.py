"""The six numbers of the status strip."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.queries.costs import costs_of
from dashboard.queries.tiles import Tile, tiles_of
from memory.models import JobRun, Principal, User, WorkerBeat
from memory.services.counts import Counts
from memory.services.queue import enqueue


@pytest.fixture
def strip(alice: User):
    def read() -> dict[str, Tile]:
        principal, now = Principal(alice), timezone.now()
        tiles = tiles_of(principal, Counts({}), costs_of(principal, now), now)
        return {tile.label: tile for tile in tiles}

    return read


def test_strip_of_a_quiet_store_is_muted_but_for_missing_workers(strip):
    tiles = strip()

    assert len(tiles) == 6
    assert (tiles["Workers"].css, tiles["Workers"].line) == ("is-bad", "none was heard from")
    assert (tiles["Spent today"].number, tiles["Spent today"].url) == ("—", "/check/#llm")
    assert tiles["Failed in 24 h"].url.endswith("#runs")
    muted = {"Queue", "Failed in 24 h", "Memories", "Spent today"}
    assert {tiles[name].css for name in muted} == {"is-zero"}


def test_strip_tells_who_is_alive_and_what_waits(strip):
    now = timezone.now()
    WorkerBeat.objects.create(name="a", host="a", pid=1)
    WorkerBeat.objects.create(name="b", host="b", pid=2, beat_at=now - timedelta(hours=1))
    enqueue("memory.tasks.embed_everything")

    tiles = strip()

    workers, queue = tiles["Workers"], tiles["Queue"]
    assert (workers.number, workers.unit, workers.css) == ("1", "of 2", "is-warn")
    assert (queue.number, queue.css) == ("1", "")
    assert queue.line.startswith("oldest waits")


def test_strip_names_the_jobs_that_failed_while_they_are_few(strip):
    JobRun.objects.create(kind="embed", outcome="failed")
    few = strip()["Failed in 24 h"]
    for kind in ("capture", "count-scopes"):
        JobRun.objects.create(kind=kind, outcome="lost")
    many = strip()["Failed in 24 h"]

    assert (few.number, few.line, few.css) == ("1", "embed", "is-bad")
    assert (many.number, many.line) == ("3", "3 kinds of job")


def test_strip_shows_what_today_cost(strip, alice):
    JobRun.objects.create(kind="extract", owner=alice, cost_usd="0.0042")

    tile = strip()["Spent today"]

    assert (tile.number, tile.line) == ("$0.0042", "$0.0042 in 7 days")
