"""The classifier: linear weights over features, and how sure they are of a passage."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory.domain.classifier.features import ONE, Passage, Row, row_of
from memory.domain.fields import Kind

KINDS = tuple(Kind)
WIDTH = 1 + len(KINDS) + 1
"""The columns of the weights: worth keeping, the seven kinds, importance."""
KEEP, KIND, LEVEL = 0, slice(1, 1 + len(KINDS)), WIDTH - 1
# Importance is learned round the middle of its scale, in units that suit the other heads.
MIDDLE_LEVEL, LEVEL_SPREAD = 5.5, 2.0
# A guess of the middle avoids the ends of the scale; this much wider costs no accuracy.
LEVEL_STRETCH = 1.3
VECTOR_SCALE = 512
# Beside the words, of which there are far more, the vector must speak up.
VECTOR_WEIGHT = 2
MOST_OF_A_BYTE = 127
WITHOUT_VECTOR = ""

Bytes = npt.NDArray[np.int8]
Real = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the classifier holds of one passage.

    Range: `keep` and the chances of the kinds 0 to 1, the kinds sum to 1; `importance` 1 to 10.
    """

    keep: float
    kinds: dict[Kind, float]
    importance: int

    @property
    def kind(self) -> Kind:
        """The likeliest kind."""
        return max(self.kinds, key=self.kinds.__getitem__)

    @property
    def sure(self) -> float:
        """The chance of the likeliest kind."""
        return self.kinds[self.kind]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How sure the classifier must be, as found by cross-validation.

    Range: 0 to 1. `keep`: a doubt becomes a record; `drop`: a record falls below it that only weak
    clues speak for, `drop_signaled`: one with a weak signal, `drop_sure`: one with a sure signal;
    `kind`: by how much its kind must be surer than the rules' to replace it.
    """

    keep: float
    drop: float
    drop_signaled: float
    drop_sure: float
    kind: float


@dataclass(frozen=True, slots=True)
class Heads:
    """Weights for one embedder's vectors, or for none.

    Shape: words (BUCKETS + 1, WIDTH), the last row the bias; vectors (dimensions, WIDTH); mean
    (dimensions,); scales (2, WIDTH) of words and vectors. `cool` divides the scores of worth and
    kind, so that a chance of 0.8 is right four times of five.
    """

    words: Bytes
    vectors: Bytes
    mean: Bytes
    scales: Real
    cool: tuple[float, float]
    thresholds: Thresholds

    def scores(self, row: Row, vector: Bytes | None) -> Real:
        """The raw scores of one row.

        Shape: (WIDTH,).
        """
        chosen = self.words[row.places].astype(np.int64)
        sums = row.values.astype(np.int64) @ chosen + ONE * self.words[-1].astype(np.int64)
        scores: Real = sums / ONE * self.scales[0]
        if vector is not None:
            centered = (vector.astype(np.int64) - self.mean) * VECTOR_WEIGHT
            scores = scores + (centered @ self.vectors.astype(np.int64)) / ONE * self.scales[1]
        return scores


@dataclass(frozen=True, slots=True)
class Classifier:
    """The heads by the name of the embedder whose vectors they read; `""` reads none."""

    heads: dict[str, Heads]

    def heads_for(self, embedder: str) -> Heads:
        """The heads that read this embedder's vectors, or those that need none."""
        return self.heads.get(embedder, self.heads[WITHOUT_VECTOR])

    def reads(self, embedder: str) -> bool:
        """Whether vectors of this embedder are of use."""
        return embedder in self.heads and embedder != WITHOUT_VECTOR

    def judge(
        self,
        passages: Sequence[Passage],
        embedder: str = WITHOUT_VECTOR,
        vector: Bytes | None = None,
    ) -> list[Opinion]:
        """An opinion of each passage; the vector is that of the message they stand in."""
        heads = self.heads_for(embedder)
        used = vector if self.reads(embedder) else None
        return [opinion_of(heads.scores(row_of(each), used), heads.cool) for each in passages]


def opinion_of(scores: Real, cool: tuple[float, float]) -> Opinion:
    """The opinion that raw scores stand for."""
    keep = float(1.0 / (1.0 + np.exp(-np.clip(scores[KEEP] / cool[0], -30, 30))))
    kinds = scores[KIND] / cool[1]
    powers = np.exp(kinds - kinds.max())
    chances = powers / powers.sum()
    level = MIDDLE_LEVEL + LEVEL_STRETCH * LEVEL_SPREAD * float(scores[LEVEL])
    return Opinion(
        keep=keep,
        kinds={kind: float(chance) for kind, chance in zip(KINDS, chances, strict=True)},
        importance=min(10, max(1, round(level))),
    )


def as_bytes(vector: npt.NDArray[np.floating]) -> Bytes:
    """A unit vector in bytes, as the weights were learned on."""
    whole = np.rint(np.asarray(vector, dtype=np.float64) * VECTOR_SCALE)
    return np.clip(whole, -MOST_OF_A_BYTE, MOST_OF_A_BYTE).astype(np.int8)
