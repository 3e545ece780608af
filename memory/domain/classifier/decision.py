"""The whole decision on a message: the rules first, then the classifier where they are unsure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memory.domain.classifier.evidence import Unit, passage_of, units_of
from memory.domain.classifier.filing import filed_as
from memory.domain.classifier.model import WITHOUT_VECTOR, Classifier, Opinion, as_bytes
from memory.domain.fields import Kind
from memory.domain.perceptor import Doubt, Perception, Record, SignalKind, perceive
from memory.domain.perceptor.pipeline import MAX_RECORDS, ROLE_WEIGHTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from memory.domain.classifier.model import Thresholds

# What the rules are so sure of, the classifier leaves as it is.
SURE = 0.8
MOST_CHARACTERS_EMBEDDED = 600
_DELIBERATE = frozenset((SignalKind.MEMORY_REQUEST, SignalKind.CORRECTION, SignalKind.IDENTITY))


class Vectors(Protocol):
    """What is asked of an embedder here."""

    @property
    def name(self) -> str:
        """The model's stable id."""

    def embed_passages(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """The unit vectors of texts."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A passage with the classifier's opinion of it."""

    unit: Unit
    opinion: Opinion


def decide(
    text: str,
    role: str = "user",
    observed_at: datetime | None = None,
    *,
    classifier: Classifier,
    embedder: Vectors | None = None,
) -> Perception:
    """What of a message is worth keeping: what the rules say, and the classifier where they doubt.

    What the assistant says counts less with both.

    Raises: what the embedder raises, and it is asked only where something is in doubt.
    """
    perception = perceive(text, role, observed_at)
    if not is_in_doubt(perception):
        return perception
    name = embedder.name if embedder and classifier.reads(embedder.name) else WITHOUT_VECTOR
    units = units_of(perception)
    vector = None
    if embedder and name:
        vector = as_bytes(embedder.embed_passages([text[:MOST_CHARACTERS_EMBEDDED]])[0])
    passages = [passage_of(text, unit, perception) for unit in units]
    opinions = classifier.judge(passages, name, vector)
    judged = [
        Judged(unit, _weighed(unit, opinion, ROLE_WEIGHTS[role]))
        for unit, opinion in zip(units, opinions, strict=True)
    ]
    return settle(perception, judged, classifier.heads_for(name).thresholds)


def _weighed(unit: Unit, opinion: Opinion, weight: float) -> Opinion:
    """The opinion as far as the role counts; what the rules keep has been weighed by them."""
    return opinion if isinstance(unit, Record) else replace(opinion, keep=opinion.keep * weight)


def is_in_doubt(perception: Perception) -> bool:
    """Whether the classifier may change anything."""
    return bool(perception.doubts) or any(map(is_weak, perception.records))


def is_weak(record: Record) -> bool:
    """Whether the rules are unsure that it is worth keeping, or of its kind."""
    return record.kind_confidence < SURE or _is_droppable(record)


def settle(perception: Perception, judged: Sequence[Judged], limits: "Thresholds") -> Perception:
    """The perception with each passage kept, left or filed anew as the opinions say."""
    kept: list[tuple[float, Record]] = []
    left: list[Doubt] = []
    for each in judged:
        outcome = _outcome(each.unit, each.opinion, limits)
        if isinstance(outcome, Doubt):
            left.append(outcome)
        else:
            rank = 1.0 if isinstance(each.unit, Record) else 0.0
            kept.append((rank + each.opinion.keep, outcome))
    best = sorted(kept, key=lambda pair: -pair[0])[:MAX_RECORDS]
    records = tuple(sorted((record for _, record in best), key=lambda record: record.start))
    signals = tuple(signal for record in records for signal in record.signals)
    return Perception(signals, records, _skipped(perception, records, left), tuple(left))


def _outcome(unit: Unit, opinion: Opinion, limits: "Thresholds") -> Record | Doubt:
    if isinstance(unit, Record):
        if opinion.keep < _least(unit, limits):
            return _dropped(unit, opinion)
        return _filed(unit, opinion, limits)
    if opinion.keep < limits.keep or unit.record is None:
        reason = f"{unit.reason}; {too_little(opinion.keep)}"
        return replace(unit, confidence=round(opinion.keep, 2), reason=reason)
    return _kept(unit.record, opinion, limits)


def too_little(keep: float) -> str:
    """In words, a chance to be worth keeping that is not enough."""
    return f"the classifier gives it {keep:.2f}, too little to keep it"


def _kept(record: Record, opinion: Opinion, limits: "Thresholds") -> Record:
    filed = _filed(record, opinion, limits)
    kind = f"{filed.kind} {opinion.kinds[filed.kind]:.2f}"
    reason = f"{opinion.keep:.2f} sure that it is worth keeping; of the kinds, {kind}"
    return replace(filed, reasons=filed.reasons | {"classifier": reason})


def _dropped(record: Record, opinion: Opinion) -> Doubt:
    return Doubt(
        text=record.text,
        start=record.start,
        end=record.end,
        confidence=round(opinion.keep, 2),
        signals=record.signals,
        reason=f"{_clues(record)}, and the classifier gives it {opinion.keep:.2f}",
        record=record,
    )


def _filed(record: Record, opinion: Opinion, limits: "Thresholds") -> Record:
    """The record with the classifier's kind and importance where the rules are less sure."""
    if record.kind_confidence >= SURE:
        return record
    likeliest = _likeliest(record, opinion)
    sure = opinion.kinds[likeliest]
    kind = likeliest if sure >= record.kind_confidence + limits.kind else record.kind
    filed = filed_as(record, kind, opinion.importance)
    if kind is record.kind:
        return filed
    reasons = filed.reasons | {"kind": f"the classifier is {sure:.2f} sure"}
    return replace(filed, reasons=reasons, kind_confidence=round(sure, 2))


def _likeliest(record: Record, opinion: Opinion) -> Kind:
    """The likeliest kind; what names a day gone by is no plan, whatever the message goes on to."""
    is_past = record.valid_from is not None and record.freeze_until is None
    kinds = [kind for kind in opinion.kinds if not (is_past and kind is Kind.PLAN)]
    return max(kinds, key=opinion.kinds.__getitem__)


def _is_droppable(record: Record) -> bool:
    """Whether it rests on weak clues alone, and nothing in it must never be lost."""
    return not record.critical and not _is_signaled_surely(record)


def _least(record: Record, limits: "Thresholds") -> float:
    """What the classifier must give the record at least; 0 for what must never be lost."""
    if is_suspicious(record):
        return limits.drop_sure
    if not _is_droppable(record):
        return 0.0
    return limits.drop_signaled if record.signals else limits.drop


def is_suspicious(record: Record) -> bool:
    """Whether plain wording speaks for it that a saying or a task for once may have too.

    Nobody asks to remember, corrects, introduces themselves or agrees on a code word in passing.
    """
    if record.critical or record.kind is Kind.REFLEX or record.kind_confidence >= SURE:
        return False
    if not _is_signaled_surely(record):
        return False
    return _DELIBERATE.isdisjoint(
        signal.kind for signal in record.signals if signal.confidence >= SURE
    )


def _is_signaled_surely(record: Record) -> bool:
    return any(signal.confidence >= SURE for signal in record.signals)


def _clues(record: Record) -> str:
    return "it reads like a passing remark" if _is_signaled_surely(record) else "only weak clues"


def _skipped(
    perception: Perception, records: Sequence[Record], left: Sequence[Doubt]
) -> str | None:
    if records:
        return None
    likeliest = max(left, key=lambda doubt: doubt.confidence, default=None)
    return likeliest.reason if likeliest else perception.skipped
