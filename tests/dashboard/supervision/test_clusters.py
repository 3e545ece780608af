import os
import time
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from dashboard.supervision.clusters import Upkeep
from dashboard.supervision.liveness import BeatWatch
from memory.models import WorkerBeat
from memory.services.workers import dead_after_seconds, heartbeat

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_upkeep(settings: Settings) -> None:
    settings.LONGHAND_UPKEEP = []
    settings.LONGHAND_HOST_UPKEEP = []


def test_beat_is_written_when_upkeep_is_due() -> None:
    Upkeep("host:7700", 30.0).run_what_is_due()

    assert WorkerBeat.objects.get(name="host:7700").pid == os.getpid()


def test_beat_waits_when_the_last_one_is_young() -> None:
    upkeep = Upkeep("host:7700", 30.0)
    upkeep.run_what_is_due()
    WorkerBeat.objects.all().delete()

    upkeep.run_what_is_due()

    assert not WorkerBeat.objects.exists()


def test_upkeep_goes_on_at_its_next_turn_when_one_task_fails(
    settings: Settings,
) -> None:
    settings.LONGHAND_UPKEEP = ["tests.dashboard.supervision.test_clusters.fail_as_a_full_disk"]
    upkeep = Upkeep("host:7700", 0.01)

    upkeep.run_what_is_due()
    WorkerBeat.objects.all().delete()
    time.sleep(0.02)
    upkeep.run_what_is_due()

    assert WorkerBeat.objects.filter(name="host:7700").exists()


def fail_as_a_full_disk() -> None:
    raise OSError(28, "No space left on device")


def test_worker_is_silent_when_its_beat_is_old() -> None:
    heartbeat(name="host:7700", pid=1)
    WorkerBeat.objects.update(beat_at=timezone.now() - timedelta(seconds=dead_after_seconds() + 1))

    started_long_ago = time.monotonic() - dead_after_seconds() - 1

    assert BeatWatch("host:7700").is_silent(started_long_ago)
    assert not BeatWatch("host:7700").is_silent(time.monotonic())


def test_worker_is_not_silent_when_its_beat_is_young() -> None:
    heartbeat(name="host:7700", pid=1)

    assert not BeatWatch("host:7700").is_silent(time.monotonic() - 10_000)
    assert BeatWatch("host:7700").wait_for_first(
        since=timezone.now() - timedelta(seconds=5), seconds=1.0
    )


def test_first_beat_is_missing_when_only_an_old_one_is_there() -> None:
    heartbeat(name="host:7700", pid=1)

    assert not BeatWatch("host:7700").wait_for_first(since=timezone.now(), seconds=0.2)
