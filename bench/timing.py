"""Timing that shares the machine's moods between what is compared."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

ROUNDS = 5
Work = Callable[[], object]


def in_turns(one: Work, other: Work, rounds: int = ROUNDS) -> list[tuple[float, float]]:
    """The seconds of each in every round, taking turns after a warm-up."""
    one()
    other()
    return [(seconds(one), seconds(other)) for _ in range(rounds)]


def seconds(work: Work) -> float:
    """How long one call takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def median_ratio(pairs: Sequence[tuple[float, float]]) -> float:
    """The median of the rounds' ratios, first to second."""
    return median(first / second for first, second in pairs)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
