"""A second start is fast, and so is every stop."""

import time
from collections.abc import Callable

import pytest

from tests.dashboard.supervision.conftest import Installation, wait_until
from tests.faults.client import ready

Record = Callable[[str, object], None]
pytestmark = pytest.mark.slow

WARM_SECONDS = 15.0
STOP_SECONDS = 10.0


def test_up_answers_soon_when_it_ran_before_and_stops_soon(
    installation: Installation, record_property: Record
) -> None:
    first = installation.up()
    first.wait_until_running()
    first_stop = first.stop()

    began = time.monotonic()
    second = installation.up()
    wait_until(installation.answers, seconds=WARM_SECONDS)
    warm_start = time.monotonic() - began
    second.wait_until_running()
    status, parts = ready(installation)
    second_stop = second.stop()

    record_property("warm_start_seconds", round(warm_start, 2))
    record_property("stop_seconds", [round(first_stop, 2), round(second_stop, 2)])
    assert warm_start < WARM_SECONDS
    assert status == 200
    assert {part["state"] for part in parts.values()} == {"ok"}
    assert max(first_stop, second_stop) < STOP_SECONDS
    assert installation.processes() == []
