"""The handed fixtures, and what the cases share."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

from django.db import connections

FOLDER = Path(__file__).parents[1] / "data/handed"


def handed(name: str) -> Any:
    """One JSON fixture."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def at_once(number: int, work: Callable[[int], Any]) -> list[Any]:
    """The results of the work done by as many threads in the same moment, each with its own
    connection; an error of any of them is raised here.
    """
    barrier, results, errors = Barrier(number), [], []

    def run(place: int) -> None:
        try:
            barrier.wait(timeout=30)
            results.append(work(place))
        except BaseException as error:  # raised again below, by the test itself
            errors.append(error)
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    if errors:
        raise errors[0]
    return results
