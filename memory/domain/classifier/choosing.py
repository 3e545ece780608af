"""Choosing, by opinions of messages never seen, how sure is sure enough."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from memory.domain.classifier.decision import SURE, Judged, is_suspicious, settle
from memory.domain.classifier.examples import Example
from memory.domain.classifier.model import Thresholds
from memory.domain.perceptor import Perception, Record

Real = npt.NDArray[np.float64]

_COOLS = tuple(round(0.5 + 0.05 * step, 2) for step in range(71))
_GAPS = tuple(round(-0.6 + 0.05 * step, 2) for step in range(21))
# The rules were made on these very examples, so how many false ones they let through on others
# cannot be counted here. What a threshold costs can: how much of what is worth keeping falls.
MOST_LOST_OF_IMPLIED = 0.06
MOST_LOST_OF_SIGNALED = 0.04
MOST_LOST_OF_SURE = 0.02
MOST_NOISE_KEPT = 0.08


@dataclass(frozen=True, slots=True)
class Score:
    """How a decision did on labelled messages.

    Range: 0 to 1. `kind`: of those worth keeping, the share with a record of an accepted kind.
    """

    recall: float
    false: float
    kind: float
    in_band: float


def choose_cool(scores: Real, losses: Callable[[Real], float]) -> float:
    """The divisor of the scores under which their chances are the truest."""
    return min(_COOLS, key=lambda cool: round(losses(scores / cool), 9))


def choose_thresholds(
    examples: Sequence[Example],
    perceptions: Sequence[Perception],
    judged: Sequence[Sequence[Judged]],
    noise: Sequence[float],
) -> Thresholds:
    """The thresholds at which no more is lost, and no more noise kept, than may be.

    `noise` are the chances that were given to messages that are not worth keeping.
    """
    best = [
        max(each, key=lambda one: one.opinion.keep)
        for example, each in zip(examples, judged, strict=True)
        if example.is_kept and each
    ]
    records = [(each.unit, each.opinion.keep) for each in best if isinstance(each.unit, Record)]
    limits = Thresholds(
        keep=_quantile(noise, 1.0 - MOST_NOISE_KEPT),
        drop=_quantile([keep for unit, keep in records if not unit.signals], MOST_LOST_OF_IMPLIED),
        drop_signaled=_quantile(
            [keep for unit, keep in records if _is_signaled_weakly(unit)], MOST_LOST_OF_SIGNALED
        ),
        drop_sure=_quantile(
            [keep for unit, keep in records if is_suspicious(unit)], MOST_LOST_OF_SURE
        ),
        kind=0.0,
    )
    cases = list(zip(examples, perceptions, judged, strict=True))
    tried = [replace(limits, kind=gap) for gap in _GAPS]
    return max(tried, key=lambda one: round(score_of(cases, one).kind, 9))


def _is_signaled_weakly(record: Record) -> bool:
    return bool(record.signals) and max(each.confidence for each in record.signals) < SURE


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[int(share * (len(ordered) - 1))], 3) if ordered else 0.5


Case = tuple[Example, Perception, Sequence[Judged]]


def score_of(cases: Iterable[Case], limits: Thresholds) -> Score:
    """How the whole decision does on these cases under these thresholds."""
    decided = [(case[0], settle(case[1], case[2], limits)) for case in cases]
    kept = [(example, each) for example, each in decided if example.is_kept]
    noise = [each for example, each in decided if not example.is_kept]
    return Score(
        recall=_share(bool(each.records) for _, each in kept),
        false=_share(bool(each.records) for each in noise),
        kind=_share(_is_named(example, each) for example, each in kept),
        in_band=_share(_is_in_band(example, each) for example, each in kept),
    )


def _is_named(example: Example, perception: Perception) -> bool:
    return any(
        record.kind is example.kind or record.kind in example.also for record in perception.records
    )


def _is_in_band(example: Example, perception: Perception) -> bool:
    low, high = example.importance
    return any(low <= record.importance <= high for record in perception.records)


def _share(answers: Iterable[bool]) -> float:
    known = list(answers)
    return sum(known) / len(known) if known else 0.0
