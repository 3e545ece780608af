"""Fusing the legs of a recall into one score whose parts anybody can recompute."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WEIGHTS = {"keyword": 0.6, "vector": 0.4}


@dataclass(frozen=True, slots=True)
class Part:
    """What one leg adds to a score: `scaled * weight`.

    Range: `scaled` and `weight` are within 0 to 1; `raw` is the leg's own measure.
    """

    raw: float
    scaled: float
    weight: float

    @property
    def points(self) -> float:
        """The part's share of the score."""
        return self.scaled * self.weight


def scale(raw: Sequence[float], *, floor: float = 0.0) -> list[float]:
    """Each value between the floor and the largest, as 0 to 1.

    A single hit, or equal ones, stand at 1: they are the best there is.
    """
    if not raw:
        return []
    top = max(raw)
    span = top - floor
    return [max(0.0, (value - floor) / span) if span > 0 else 0.0 for value in raw]


def leg_weights(legs: Sequence[str]) -> dict[str, float]:
    """The weights of the legs that took part; they sum to 1."""
    total = sum(WEIGHTS[leg] for leg in legs)
    return {leg: WEIGHTS[leg] / total for leg in legs}


def score(parts: Mapping[str, Part]) -> float:
    """The sum of the parts' points."""
    return sum(part.points for part in parts.values())
