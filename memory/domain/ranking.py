"""Fusing the legs of a recall into one score whose parts anybody can recompute."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WEIGHTS = {"keyword": 0.6, "vector": 0.4}


@dataclass(frozen=True, slots=True)
class Part:
    """What one leg adds to a score: `scaled * covered * weight`.

    Range: each of the three is within 0 to 1; `raw` is the leg's own measure, and `covered` the
    share of the query's words that the row holds.
    """

    raw: float
    scaled: float
    covered: float
    weight: float

    @property
    def points(self) -> float:
        """The part's share of the score."""
        return self.scaled * self.covered * self.weight


def scale(raw: Sequence[float]) -> list[float]:
    """Each value as 0 to 1: from 0, or the smallest if that is below 0, up to the largest.

    A single hit, or equal ones, stand at 1: they are the best there is.
    """
    floor = min(0.0, *raw) if raw else 0.0
    span = max(raw, default=0.0) - floor
    return [(value - floor) / span if span > 0 else 1.0 for value in raw]


def leg_weights(legs: Sequence[str]) -> dict[str, float]:
    """The weights of the legs that took part; they sum to 1."""
    total = sum(WEIGHTS[leg] for leg in legs)
    return {leg: WEIGHTS[leg] / total for leg in legs}


def score(parts: Mapping[str, Part]) -> float:
    """The sum of the parts' points."""
    return sum(part.points for part in parts.values())
