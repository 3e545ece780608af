"""The loop of `up`: parts that die are started again, and all end together."""

import signal
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NoReturn

import structlog

from dashboard.supervision.children import Child

POLL_SECONDS = 0.2
STOP_SECONDS = 6.0

logger = structlog.get_logger(__name__)


class StopRequested(BaseException):
    """Somebody asked Longhand to end; not an error, so nothing may swallow it."""


def raise_on_signals() -> None:
    """Let Ctrl-C, SIGTERM and a closed terminal end the program from wherever it is."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _raise)


def ignore_signals() -> None:
    """Let nothing interrupt a stop, which is short anyway."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    ignore_signals()
    raise StopRequested


def watch(
    children: Sequence[Child], silent: Callable[[], Child | None], *, check_seconds: float
) -> NoReturn:
    """Keep all children running; `silent` names one that lives but does not answer.

    Raises: StopRequested when somebody asks for the end.
    """
    next_check = time.monotonic() + check_seconds
    while True:
        time.sleep(POLL_SECONDS)
        for child in children:
            child.keep_running()
        if time.monotonic() >= next_check:
            next_check = time.monotonic() + check_seconds
            if (stuck := silent()) is not None:
                logger.error("part.silent", part=stuck.name)
                stuck.restart()


def stop_together(children: Sequence[Child]) -> None:
    """Ask all at once, then end what is left when the shared time is over."""
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        child.ask_to_stop()
    for child in children:
        child.stop_by(deadline)
