"""The six detectors and the weak clues, run on one sentence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.domain.perceptor.perception import Signal, SignalKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.domain.perceptor.language import Folded, Language, Modifier, Pattern
    from memory.domain.perceptor.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Finding:
    """A signal with what the pipeline still needs to know of its pattern."""

    signal: Signal
    survives_question: bool


@dataclass(frozen=True, slots=True)
class _Match:
    pattern: "Pattern"
    start: int
    end: int


def detect(sentence: "Sentence", spoken: "Sequence[Language]", weight: float) -> list[Finding]:
    """The best finding of each detector, the weightiest kind first, however unsure."""
    folded = sentence.folded
    modifiers = [
        modifier
        for language in spoken
        for modifier in language.modifiers
        if modifier.pattern.search(folded)
    ]
    findings: list[Finding] = []
    for kind in SignalKind:
        matches = list(_matches(kind, folded, spoken))
        if matches:
            best = max(matches, key=lambda match: match.pattern.confidence)
            findings.append(_finding(kind, best, sentence.start, modifiers, weight=weight))
    return findings


def statement_confidence(sentence: "Sentence", spoken: "Sequence[Language]") -> float:
    """How likely the sentence states something of use without any explicit signal.

    Range: 0 to 1; clues combine as independent reasons.
    """
    folded = sentence.folded
    doubt = 1.0
    for language in spoken:
        for clue in language.statements:
            if clue.search(folded):
                doubt *= 1.0 - clue.confidence
    return round(1.0 - doubt, 2)


def _finding(
    kind: SignalKind,
    match: _Match,
    offset: int,
    modifiers: "Sequence[Modifier]",
    *,
    weight: float,
) -> Finding:
    confidence, reasons = match.pattern.confidence * weight, [match.pattern.reason]
    for modifier in modifiers:
        if kind in modifier.applies:
            confidence *= modifier.factor
            reasons.append(modifier.pattern.reason)
    signal = Signal(
        kind=kind,
        start=offset + match.start,
        end=offset + match.end,
        confidence=round(confidence, 2),
        reason=", ".join(dict.fromkeys(reasons)),
    )
    return Finding(signal, match.pattern.survives_question)


def _matches(
    kind: SignalKind, folded: "Folded", spoken: "Sequence[Language]"
) -> "Iterator[_Match]":
    for language in spoken:
        for pattern in language.detectors[kind]:
            match = pattern.search(folded)
            if match is not None:
                yield _Match(pattern, match.start(), match.end())
