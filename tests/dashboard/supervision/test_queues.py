import multiprocessing
import os
import signal

from dashboard.supervision.queues import was_killed


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
