"""Learning linear weights in whole numbers, so that every machine learns the same ones.

Sums of floating point depend on their order and on the processor, and a last bit that differs grows
over the rounds. Here features, weights and errors are whole numbers: their sums are exact however
they are added up. What is left is one exponential a row and round; its result is cut to 15 bits,
of which the last bit of a float decides one in many billions. The whole numbers are kept as
floats, which is faster, and as exact: no sum comes near the 53 bits that a float holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from memory.domain.classifier.features import BUCKETS, ONE, Row

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
Chosen = npt.NDArray[np.bool_]

WEIGHT_BITS = 20
ERROR_BITS = 15
_PER_WEIGHT = 1 << WEIGHT_BITS
_PER_ERROR = 1 << ERROR_BITS
_OFTEN = 2


@dataclass(frozen=True, slots=True)
class Task:
    """One head to learn: its columns in the targets, and which loss it has.

    Shape: targets (rows, columns); weights (rows,), 0 where a row says nothing about this head.
    `hears_rules` tells whether what the rules say may count.
    """

    targets: Real
    weights: Real
    loss: str
    hears_rules: bool = True


@dataclass(frozen=True, slots=True)
class Pace:
    """How long and how carefully is learned; a squared loss is steeper and takes smaller steps."""

    rounds: int = 100
    step: float = 2.0
    step_of_level: float = 0.4
    decay: float = 5e-4


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of whole numbers: features met often enough, one that is always ONE, and vectors.

    Shape: words (rows, len(places) + 1), its transpose, vectors (rows, dimensions); `ruled`
    (len(places),) marks what the rules say.
    """

    words: sparse.csr_matrix
    turned: sparse.csr_matrix
    vectors: Real
    places: Whole
    ruled: Chosen

    @property
    def width(self) -> int:
        """How many weights a head has."""
        return int(self.words.shape[1] + self.vectors.shape[1])

    def scores(self, weights: Real) -> Real:
        """What the weights say of every row.

        Shape: (rows, columns of the weights).
        """
        whole, count = np.rint(weights * _PER_WEIGHT), self.words.shape[1]
        sums = self.words @ whole[:count] + self.vectors @ whole[count:]
        scores: Real = sums / (ONE * _PER_WEIGHT)
        return scores

    def slopes(self, errors: Real) -> Real:
        """How the loss rises with each weight, given whole errors of every row."""
        sums = np.vstack([self.turned @ errors, self.vectors.T @ errors])
        slopes: Real = sums / (ONE * _PER_ERROR * len(errors))
        return slopes

    def spread(self, weights: Real) -> tuple[Real, Real]:
        """The weights of all BUCKETS with the constant's last, and those of the vectors."""
        count = len(self.places)
        words = np.zeros((BUCKETS + 1, weights.shape[1]))
        words[self.places] = weights[:count]
        words[BUCKETS] = weights[count]
        return words, weights[count + 1 :]


def table_of(rows: Sequence[Row], vectors: Whole | None = None) -> Table:
    """The table of these rows; a feature of a single row says nothing about others."""
    bounds = np.cumsum([0] + [len(row.places) for row in rows])
    met = np.concatenate([row.places for row in rows])
    values = np.concatenate([row.values for row in rows]).astype(np.float64)
    words = sparse.csr_matrix((values, met, bounds), shape=(len(rows), BUCKETS))
    places = np.flatnonzero(np.bincount(met, minlength=BUCKETS) >= _OFTEN)
    always = sparse.csr_matrix(np.full((len(rows), 1), float(ONE)))
    wide = sparse.csr_matrix(sparse.hstack([words[:, places], always]))
    if vectors is None:
        vectors = np.zeros((len(rows), 0), dtype=np.int64)
    ruled = np.isin(places, np.concatenate([row.ruled for row in rows]))
    return Table(wide, sparse.csr_matrix(wide.T), vectors.astype(np.float64), places, ruled)


def learn(table: Table, tasks: list[Task], pace: Pace) -> Real:
    """The weights of all heads, side by side.

    Shape: (width of the table, columns of all tasks).
    """
    steps = np.hstack([_steps(task, table, pace) for task in tasks])
    weights = np.zeros(steps.shape)
    ahead = weights
    for turn in range(pace.rounds):
        slopes = table.slopes(_errors(table.scores(ahead), tasks))
        stepped = ahead - steps * (slopes + pace.decay * ahead)
        ahead = stepped + turn / (turn + 3.0) * (stepped - weights)
        weights = stepped
    return weights


def _steps(task: Task, table: Table, pace: Pace) -> Real:
    size = pace.step_of_level if task.loss == "level" else pace.step
    steps = np.full((table.width, task.targets.shape[1]), size)
    if not task.hears_rules:
        steps[: len(table.ruled)][table.ruled] = 0.0
    return steps


def _errors(scores: Real, tasks: list[Task]) -> Real:
    parts, start = [], 0
    for task in tasks:
        end = start + task.targets.shape[1]
        guesses = _GUESS[task.loss](scores[:, start:end])
        share = task.weights / task.weights.sum()
        error = (guesses - task.targets) * (share * len(share))[:, None]
        parts.append(np.rint(error * _PER_ERROR))
        start = end
    return np.hstack(parts)


def _softmax(scores: Real) -> Real:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Real = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _logistic(scores: Real) -> Real:
    chances: Real = 1.0 / (1.0 + np.exp(-scores))
    return chances


def _as_it_is(scores: Real) -> Real:
    return scores


_GUESS = {"kinds": _softmax, "chance": _logistic, "level": _as_it_is}
