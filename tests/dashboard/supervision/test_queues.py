import multiprocessing
import os
import signal

import pytest
from django_q import cluster
from django_q.conf import Conf

from dashboard.supervision import queues
from dashboard.supervision.queues import Sentinel, was_killed


def ended(code: int) -> multiprocessing.Process:
    process = multiprocessing.get_context("fork").Process(target=_end, args=(code,))
    process.start()
    process.join()
    return process


def _end(code: int) -> None:
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def test_process_was_killed_when_a_signal_ended_it() -> None:
    assert was_killed(ended(-signal.SIGKILL))


def test_process_was_not_killed_when_it_ended_by_itself() -> None:
    assert not was_killed(ended(0))
    assert not was_killed(ended(1))


@pytest.mark.parametrize(
    ("queue", "order"),
    [("slow", ["nice", "model", "forks"]), ("quick", ["rules", "forks"])],
)
def test_processes_share_what_their_queue_loads_and_those_that_read_documents_make_way(
    monkeypatch: pytest.MonkeyPatch, queue: str, order: list[str]
) -> None:
    done: list[str] = []
    monkeypatch.setattr(os, "nice", lambda _: done.append("nice"))
    monkeypatch.setattr(queues, "load_languages", lambda: done.append("model"))
    monkeypatch.setattr(queues, "load_rules", lambda: done.append("rules"))
    monkeypatch.setattr(cluster.Sentinel, "spawn_cluster", lambda _: done.append("forks"))
    monkeypatch.setattr(Conf, "CLUSTER_NAME", queue)

    Sentinel.spawn_cluster(object.__new__(Sentinel))

    assert done == order
