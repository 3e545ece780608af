"""Learning the classifier from labelled messages, the same bytes on every run.

Every step is repeatable: examples are read in order, folds go by position, and the weights are
learned in whole numbers (see learning.py). The embedders' vectors are no part of it: a last bit
that another processor computes differently would change them, so they are kept beside the
examples, in bytes, and made anew only for new examples.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from memory.domain.classifier.choosing import choose_cool, choose_thresholds
from memory.domain.classifier.decision import Judged
from memory.domain.classifier.evidence import Unit, passage_of, units_of, whole_passage
from memory.domain.classifier.examples import Example, Stored, embedders_in, vectors_of
from memory.domain.classifier.features import Row, row_of
from memory.domain.classifier.learning import Pace, Real, Task, Whole, learn, table_of
from memory.domain.classifier.model import (
    KEEP,
    KIND,
    KINDS,
    LEVEL_SPREAD,
    MIDDLE_LEVEL,
    MOST_OF_A_BYTE,
    VECTOR_WEIGHT,
    WIDTH,
    WITHOUT_VECTOR,
    Bytes,
    Classifier,
    Heads,
    Thresholds,
    opinion_of,
)
from memory.domain.perceptor import Perception, Record, perceive

FOLDS = 4
PACE = Pace()
_PUNCTUATION = re.compile("[.,;:!?'\"\u2019\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u3001]")
_ALSO_SHARE = 0.25
_CARELESS_WEIGHT = 0.5
_UNCHOSEN = Thresholds(keep=0.5, drop=0.0, drop_signaled=0.0, drop_sure=0.0, kind=0.0)

Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Sample:
    """One passage of one example: `unit` is None where the rules found none at all."""

    example: int
    unit: Unit | None
    row: Row
    weight: float

    @property
    def promise(self) -> float:
        """How likely it is what its message is kept for, before anything is learned."""
        if self.unit is None:
            return 0.0
        rank = 2.0 if isinstance(self.unit, Record) else 0.0
        return rank + self.unit.confidence + len(self.unit.text) / 1_000


@dataclass(frozen=True, slots=True)
class Material:
    """All that is learned from: examples, what the rules make of each, and its passages."""

    examples: list[Example]
    perceptions: list[Perception]
    samples: list[Sample]


def material_of(examples: list[Example]) -> Material:
    """The passages of the examples, each example also in careless writing."""
    perceptions = [perceive(example.text) for example in examples]
    samples: list[Sample] = []
    for number, (example, perception) in enumerate(zip(examples, perceptions, strict=True)):
        samples += _samples(number, example.text, perception, 1.0)
        careless = " ".join(_PUNCTUATION.sub(" ", example.text).lower().split())
        if careless != example.text:
            samples += _samples(number, careless, perceive(careless), _CARELESS_WEIGHT)
    return Material(examples, perceptions, samples)


def _samples(number: int, text: str, perception: Perception, weight: float) -> Iterator[Sample]:
    units = units_of(perception)
    for unit in units:
        yield Sample(number, unit, row_of(passage_of(text, unit, perception)), weight)
    if not units:
        yield Sample(number, None, row_of(whole_passage(text)), weight)


def train(examples: list[Example], stored: Stored, pace: Pace = PACE) -> Classifier:
    """The classifier that these examples give.

    Raises: Permanent when an example has no vector.
    """
    material = material_of(examples)
    vectors: dict[str, Bytes | None] = {WITHOUT_VECTOR: None}
    vectors |= {name: vectors_of(examples, stored, name) for name in embedders_in(stored)}
    return Classifier({name: _train_one(material, each, pace) for name, each in vectors.items()})


def _train_one(material: Material, vectors: Bytes | None, pace: Pace) -> Heads:
    judged, noise, cool = cross_validate(material, vectors, pace)
    thresholds = choose_thresholds(material.examples, material.perceptions, judged, noise)
    everything = np.ones(len(material.examples), dtype=bool)
    heads = fit(material, vectors, everything, pace)
    return replace(heads, cool=cool, thresholds=thresholds)


def cross_validate(
    material: Material, vectors: Bytes | None, pace: Pace = PACE
) -> tuple[list[list[Judged]], list[float], tuple[float, float]]:
    """What weights hold of examples that they never saw.

    That is the opinions of every example's passages, the chances of those not worth keeping, and
    the cooling that makes the chances true.
    """
    scored = list(_scored_unseen(material, vectors, pace))
    cool = _cooling(material, scored)
    judged: list[list[Judged]] = [[] for _ in material.examples]
    noise: list[float] = []
    for sample, scores in scored:
        opinion = opinion_of(scores, cool)
        if sample.unit:
            judged[sample.example].append(Judged(sample.unit, opinion))
        if not material.examples[sample.example].is_kept:
            noise.append(opinion.keep)
    return judged, noise, cool


def _scored_unseen(
    material: Material, vectors: Bytes | None, pace: Pace
) -> Iterator[tuple[Sample, Real]]:
    folds = np.arange(len(material.examples)) % FOLDS
    for fold in range(FOLDS):
        heads = fit(material, vectors, folds != fold, pace)
        for sample in material.samples:
            if folds[sample.example] == fold and sample.weight == 1.0:
                vector = None if vectors is None else vectors[sample.example]
                yield sample, heads.scores(sample.row, vector)


def fit(material: Material, vectors: Bytes | None, chosen: Chosen, pace: Pace) -> Heads:
    """The weights that the chosen examples give, in bytes.

    Of the passages of a message worth keeping, the one that the rules hold to be the likeliest is
    taken for what it is kept for; the others say nothing.
    """
    samples = [sample for sample in material.samples if chosen[sample.example]]
    mean, wide = _centered(vectors, samples)
    table = table_of([sample.row for sample in samples], wide)
    promises = np.array([sample.promise for sample in samples])
    weights = learn(table, _tasks(material, samples, promises), pace)
    return _in_bytes(*table.spread(weights), mean)


def _centered(vectors: Bytes | None, samples: Sequence[Sample]) -> tuple[Bytes, Whole | None]:
    if vectors is None:
        return np.zeros(0, dtype=np.int8), None
    whole = vectors[[sample.example for sample in samples]].astype(np.int64)
    mean = np.rint(whole.sum(axis=0) / len(whole)).astype(np.int8)
    return mean, (whole - mean) * VECTOR_WEIGHT


def _tasks(material: Material, samples: Sequence[Sample], promises: Real) -> list[Task]:
    meant = _likeliest(samples, promises)
    examples = [material.examples[sample.example] for sample in samples]
    care = np.array([sample.weight for sample in samples])
    kept = np.array([example.is_kept for example in examples])
    kinds = np.array([_shares(example) for example in examples])
    levels = [(sum(example.importance) / 2 - MIDDLE_LEVEL) / LEVEL_SPREAD for example in examples]
    named = care * (kept & meant)
    return [
        # The rules were made on these very examples and are right on them more often than on
        # others, so what is worth keeping is learned from the words alone.
        Task(kept[:, None].astype(float), care * (~kept | meant), "chance", hears_rules=False),
        Task(kinds, named, "kinds"),
        Task(np.array(levels)[:, None], named, "level"),
    ]


def _likeliest(samples: Sequence[Sample], promises: Real) -> Chosen:
    """Marks the likeliest passage of each message, in each way it is written."""
    best: dict[tuple[int, float], int] = {}
    for place, sample in enumerate(samples):
        message = sample.example, sample.weight
        if message not in best or promises[place] > promises[best[message]]:
            best[message] = place
    marks = np.zeros(len(samples), dtype=bool)
    marks[list(best.values())] = True
    return marks


def _shares(example: Example) -> list[float]:
    """How much each kind is right: the first most, those that may be defended a little."""
    shares = dict.fromkeys(KINDS, 0.0)
    if example.kind:
        shares[example.kind] = 1.0 - _ALSO_SHARE * bool(example.also)
        for kind in example.also:
            shares[kind] += _ALSO_SHARE / len(example.also)
    return list(shares.values())


def _in_bytes(words: Real, vectors: Real, mean: Bytes) -> Heads:
    small_words, scales_of_words = _one_byte_each(words)
    small_vectors, scales_of_vectors = _one_byte_each(vectors)
    return Heads(
        words=small_words,
        vectors=small_vectors,
        mean=mean,
        scales=np.array([scales_of_words, scales_of_vectors]),
        cool=(1.0, 1.0),
        thresholds=_UNCHOSEN,
    )


def _one_byte_each(weights: Real) -> tuple[Bytes, Real]:
    if not weights.size:
        return np.zeros(weights.shape, dtype=np.int8), np.ones(WIDTH)
    scales = np.abs(weights).max(axis=0) / MOST_OF_A_BYTE
    scales = np.where(scales == 0.0, 1.0, scales)
    return np.rint(weights / scales).astype(np.int8), scales


def _cooling(material: Material, scored: Sequence[tuple[Sample, Real]]) -> tuple[float, float]:
    """What makes the chances true: by all passages for worth, by those kept for kind."""
    examples = [material.examples[sample.example] for sample, _ in scored]
    scores = np.array([each for _, each in scored])
    meant = _likeliest([sample for sample, _ in scored], scores[:, KEEP])
    kept = np.array([example.is_kept for example in examples])
    kinds = np.array([_shares(example) for example in examples])
    judged, named = ~kept | meant, kept & meant
    return (
        choose_cool(scores[judged, KEEP], lambda s: _surprise_of_worth(s, kept[judged])),
        choose_cool(scores[named, KIND], lambda s: _surprise_of_kind(s, kinds[named])),
    )


def _surprise_of_worth(scores: Real, kept: Chosen) -> float:
    return float(np.logaddexp(0.0, np.where(kept, -scores, scores)).mean())


def _surprise_of_kind(scores: Real, shares: Real) -> float:
    logs = np.logaddexp.reduce(scores, axis=1)
    return float((logs - (shares * scores).sum(axis=1)).mean())
