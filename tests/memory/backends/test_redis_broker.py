"""Doorbells and cache in Redis, which is there, goes away and comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache.backends.base import BaseCache
from django.utils import timezone
from django_q.conf import Conf
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from memory.backends.broker import redis as broker
from memory.backends.broker.cache import PatientCache
from memory.backends.broker.redis import RedisBroker
from memory.domain.errors import Retryable
from memory.services.health import check_broker
from memory.services.queue import QUICK, SLOW, bells, enqueue, is_waiting, queues, waiting_tasks
from tests.dashboard.supervision.conftest import free_port
from tests.redis_server import PASSWORD, address_of, redis_server

EMBED, READ = "memory.tasks.embed_scope", "ingest.tasks.read_next_document"
Commit = DjangoCaptureOnCommitCallbacks


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as address:
        yield address


@pytest.fixture
def chosen(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redis as the broker, at an address where nobody answers yet."""
    settings.LONGHAND_BROKER = "memory.backends.broker.redis.RedisBells"
    settings.LONGHAND_REDIS_URL = address_of(free_port())
    monkeypatch.setattr(Conf, "BROKER_CLASS", "memory.backends.broker.redis.RedisBroker")
    monkeypatch.setattr(broker, "_silence", broker.Silence())
    monkeypatch.setattr(broker, "ASKED_AGAIN_SECONDS", 0.0)
    monkeypatch.setattr(broker, "DOWN_SECONDS", 0.0)


@pytest.fixture
def reached(chosen: None, server: str, settings: Settings) -> None:
    """The same, where one answers and holds nothing."""
    settings.LONGHAND_REDIS_URL = server
    broker.client(server).flushdb()


def cache_at(address: str) -> BaseCache:
    return PatientCache([address], {})


def test_bells_are_counted_by_queue_and_task(
    db: None, reached: None, django_capture_on_commit_callbacks: Commit
) -> None:
    began = timezone.now()
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(EMBED, "some-id")
        for _ in range(2):
            enqueue(READ, cluster=SLOW)

    quick, slow = queues()
    assert (quick.waiting, slow.waiting, waiting_tasks()) == (1, 2, 3)
    assert slow.oldest_at is not None
    assert slow.oldest_at >= began
    assert (bells(READ, SLOW), bells(READ, QUICK), bells(EMBED, QUICK)) == (2, 0, 1)
    assert is_waiting(EMBED, QUICK)
    assert not is_waiting(EMBED, SLOW)
    assert (check_broker().state, check_broker().detail) == ("ok", "In Redis")


def test_bell_is_not_rung_before_the_commit(db: None, reached: None) -> None:
    enqueue(EMBED, "some-id")  # the test's own transaction is never committed

    assert waiting_tasks() == 0


def test_queue_takes_each_bell_once_and_then_finds_none(
    db: None, reached: None, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(READ, cluster=SLOW)
    queue = RedisBroker(list_key=SLOW)

    first, second = queue.dequeue(), queue.dequeue()

    assert first is not None
    assert second is None


def test_bell_that_another_key_has_signed_waits_like_any_other(reached: None) -> None:
    RedisBroker(list_key=SLOW).enqueue("signed by somebody else")

    slow = queues()[1]

    assert (slow.waiting, slow.oldest_at) == (1, None)
    assert bells(READ, SLOW) == 0


def test_input_is_kept_and_the_part_named_while_redis_is_away(
    db: None, chosen: None, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(READ, cluster=SLOW)

    part = check_broker()
    assert [queue.waiting for queue in queues()] == [None, None]
    assert waiting_tasks() == 0
    assert part.state == "degraded"
    assert part.remedy.endswith("Start Redis, or check LONGHAND_REDIS_URL.")
    assert PASSWORD not in part.remedy
    with pytest.raises(Retryable, match="Redis does not answer"):
        bells(READ, SLOW)


def test_queue_waits_for_redis_and_goes_on_once_it_is_back(
    db: None, chosen: None, settings: Settings, tmp_path: Path
) -> None:
    queue = RedisBroker(list_key=SLOW)
    before, was_silent = queue.dequeue(), queue.is_silent
    port = int(settings.LONGHAND_REDIS_URL.rpartition(":")[2].partition("/")[0])

    with redis_server(tmp_path, port):
        queue.enqueue("a signed task")
        after = queue.dequeue()

        assert (before, was_silent) == (None, True)
        assert after == [(None, b"a signed task")]
        assert not queue.is_silent


def test_redis_that_gave_no_answer_is_not_asked_again_at_once(
    reached: None, server: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "ASKED_AGAIN_SECONDS", 60.0)
    settings.LONGHAND_REDIS_URL = address_of(free_port())
    first = check_broker()
    settings.LONGHAND_REDIS_URL = server

    second = check_broker()
    monkeypatch.setattr(broker, "_silence", broker.Silence())

    assert first.state == second.state == "degraded"
    assert first.remedy == second.remedy
    assert check_broker().state == "ok"


def test_cache_keeps_values_in_redis(reached: None, server: str) -> None:
    cache = cache_at(server)
    cache.set("a", [1])

    assert cache.get("a") == [1]
    assert (cache.add("a", 2), cache.add("b", 2)) == (False, True)
    assert cache.get_many(["a", "b", "c"]) == {"a": [1], "b": 2}
    assert cache.delete("a")
    assert cache.get("a", "gone") == "gone"


def test_cache_is_as_good_as_empty_while_redis_is_away(chosen: None, settings: Settings) -> None:
    cache = cache_at(settings.LONGHAND_REDIS_URL)
    cache.set("a", 1)

    assert cache.get("a", "none") == "none"
    assert cache.get_many(["a"]) == {}
    assert not cache.delete("a")


def test_code_is_new_once_while_redis_is_away(db: None, chosen: None, settings: Settings) -> None:
    cache = cache_at(settings.LONGHAND_REDIS_URL)

    assert [cache.add("code", "y", timeout=90) for _ in range(2)] == [True, False]
