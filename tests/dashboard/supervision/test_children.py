import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dashboard.supervision.children import LONGEST_DELAY_SECONDS, Child, delay_seconds
from dashboard.supervision.supervisor import stop_together
from memory.db.guarded import Command, Guarded
from tests.dashboard.supervision.conftest import wait_until


def start(code: str, *, grace_seconds: float = 0.5) -> Guarded:
    return Guarded(Command(arguments=[sys.executable, "-c", code], grace_seconds=grace_seconds))


def keep_running_until(child: Child, holds: Callable[[], bool]) -> None:
    def turn() -> bool:
        child.keep_running()
        return holds()

    wait_until(turn)


@pytest.fixture
def sleeper() -> Iterator[Child]:
    child = Child("sleeper", lambda: start("import time; time.sleep(60)"))
    child.start()
    yield child
    stop_together([child])


def test_delay_doubles_up_to_a_limit_when_failures_go_on() -> None:
    delays = [delay_seconds(failures) for failures in range(1, 12)]

    assert delays[:4] == [0.5, 1.0, 2.0, 4.0]
    assert delays[-1] == LONGEST_DELAY_SECONDS


def test_child_starts_again_after_a_delay_when_it_dies() -> None:
    starts: list[Guarded] = []

    def start_short() -> Guarded:
        starts.append(start("pass"))
        return starts[-1]

    child = Child("short", start_short)
    child.start()

    keep_running_until(child, lambda: len(starts) == 3)
    stop_together([child])

    assert child.failures >= 2


def test_child_is_left_alone_when_it_lives(sleeper: Child) -> None:
    before = sleeper.guarded

    sleeper.keep_running()

    assert sleeper.guarded is before
    assert sleeper.failures == 0


def test_child_starts_again_when_its_start_failed() -> None:
    second = start("import time; time.sleep(60)")
    outcomes = iter([None, second])
    child = Child("late", lambda: next(outcomes))
    child.start()
    assert child.guarded is None

    keep_running_until(child, lambda: child.guarded is not None)

    assert child.guarded is second
    stop_together([child])


def test_child_is_replaced_when_restarted(sleeper: Child) -> None:
    assert sleeper.guarded is not None
    before = sleeper.guarded.pid

    sleeper.restart()
    keep_running_until(sleeper, lambda: sleeper.failures == 1)
    keep_running_until(sleeper, lambda: sleeper.guarded is not None)

    assert sleeper.guarded.pid != before


def test_all_are_asked_at_once_when_stopped_together(tmp_path: Path) -> None:
    deaf = (
        "import os, pathlib, signal, time; signal.signal(15, signal.SIG_IGN);"
        f"pathlib.Path({str(tmp_path)!r}, str(os.getpid())).touch(); time.sleep(60)"
    )
    children = [Child(str(number), lambda: start(deaf, grace_seconds=2.0)) for number in range(3)]
    for child in children:
        child.start()
    wait_until(lambda: len(list(tmp_path.iterdir())) == 3)
    began = time.monotonic()

    stop_together(children)

    assert time.monotonic() - began < 5.0  # one after the other takes six
    assert all(child.guarded is None for child in children)
