"""A second start comes up by itself, and the stop is soon over."""

import time
from collections.abc import Callable

import pytest

from tests.dashboard.supervision.conftest import Installation, wait_until
from tests.faults.client import ready

Record = Callable[[str, object], None]
pytestmark = pytest.mark.slow

# The machine may be busy: it is to tell a start that hangs.
WARM_SECONDS = 60.0
STOP_SECONDS = 10.0


def test_up_answers_soon_when_it_ran_before_and_stops_soon(
    furnished: Installation, record_property: Record
) -> None:
    began = time.monotonic()
    up = furnished.up()
    wait_until(furnished.answers, seconds=WARM_SECONDS)
    warm_start = time.monotonic() - began
    up.wait_until_running()
    status, parts = ready(furnished)
    stop = up.stop()

    record_property("warm_start_seconds", round(warm_start, 2))
    record_property("stop_seconds", round(stop, 2))
    assert status == 200
    assert {part["state"] for part in parts.values()} == {"ok"}
    assert stop < STOP_SECONDS
    assert furnished.processes() == []
