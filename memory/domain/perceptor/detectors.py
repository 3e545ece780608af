"""The six detectors and the weak clues, run on one passage."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memory.domain.perceptor.language import STATEMENT, Language, Modifier
from memory.domain.perceptor.openings import span_of
from memory.domain.perceptor.perception import Signal, SignalKind

if TYPE_CHECKING:
    from memory.domain.perceptor.patterns import Pattern
    from memory.domain.perceptor.prefilter import Passage


class Finding(NamedTuple):
    """A signal with what the pipeline still needs to know of its pattern."""

    signal: Signal
    survives_question: bool


class Statement(NamedTuple):
    """How likely a passage states something of use without any explicit signal, and why."""

    confidence: float
    reasons: tuple[str, ...]


class _Match(NamedTuple):
    pattern: "Pattern"
    start: int
    end: int


NO_STATEMENT = Statement(0.0, ())

_KINDS = tuple(SignalKind)
# Hard rule 7 of the protocol: how sure plain wording makes, if nothing around it speaks against.
PLAIN_WORDING = {
    SignalKind.CORRECTION: 0.90,
    SignalKind.RULE: 0.90,
    SignalKind.PREFERENCE: 0.85,
}
# Below this a pattern is a hint only, however plain the sentence around it.
_PLAIN_FROM = 0.65


def detect(
    passage: "Passage",
    spoken: Sequence[Language],
    weight: float,
    modifiers: Sequence[Modifier],
) -> list[Finding]:
    """The best finding of each detector, the weightiest kind first, however unsure."""
    found: list[Finding] = []
    for kind in _KINDS:
        best = _best_match(kind, passage, spoken)
        if best is not None:
            found.append(_finding(kind, best, passage.start, modifiers, weight=weight))
    return found


def state(
    passage: "Passage", language: Language, weight: float, modifiers: Sequence[Modifier]
) -> Statement:
    """What the clues of the passage's own language say together.

    Range: 0 to 1; clues combine as independent reasons.
    """
    doubt, reasons = 1.0, []
    for clue in passage.matching(language.statements):
        doubt *= 1.0 - clue.confidence
        reasons.append(clue.reason)
    if not reasons:
        return NO_STATEMENT
    confidence = (1.0 - doubt) * weight
    for modifier in modifiers:
        if STATEMENT in modifier.applies:
            confidence *= modifier.factor
            reasons.append(modifier.pattern.reason)
    return Statement(round(confidence, 2), tuple(dict.fromkeys(reasons)))


def modifiers_of(passage: "Passage", spoken: Sequence[Language]) -> list[Modifier]:
    """The contexts that the passage stands in; one of two languages counts once."""
    found: dict[str, Modifier] = {}
    for language in spoken:
        for modifier in passage.matching(language.modifiers):
            found.setdefault(modifier.pattern.id, modifier)
    return list(found.values())


def _finding(
    kind: SignalKind,
    match: _Match,
    offset: int,
    modifiers: Sequence[Modifier],
    *,
    weight: float,
) -> Finding:
    against = [modifier for modifier in modifiers if kind.value in modifier.applies]
    confidence = match.pattern.confidence
    if not against and confidence >= _PLAIN_FROM:
        confidence = max(confidence, PLAIN_WORDING.get(kind, 0.0))
    for modifier in against:
        confidence *= modifier.factor
    reasons = [match.pattern.reason, *(modifier.pattern.reason for modifier in against)]
    signal = Signal(
        kind=kind,
        start=offset + match.start,
        end=offset + match.end,
        confidence=round(confidence * weight, 2),
        reason=", ".join(dict.fromkeys(reasons)),
    )
    return Finding(signal, match.pattern.survives_question)


def _best_match(kind: SignalKind, passage: "Passage", spoken: Sequence[Language]) -> _Match | None:
    best: _Match | None = None
    for language in spoken:
        # The surest pattern comes first, so the first that matches is the best of its language.
        for pattern in passage.sift(language.detectors[kind]):
            if best is not None and pattern.confidence <= best.pattern.confidence:
                break
            match = pattern.find(passage.folded, passage.cues)
            if match is not None:
                best = _Match(pattern, *span_of(match))
                break
    return best
