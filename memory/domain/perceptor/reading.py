"""One passage with all that was found in it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memory.domain.perceptor.detectors import (
    NO_STATEMENT,
    Finding,
    Statement,
    detect,
    modifiers_of,
    state,
)
from memory.domain.perceptor.noise import statement_noise
from memory.domain.perceptor.perception import Signal
from memory.domain.perceptor.tongues import language_of

if TYPE_CHECKING:
    from memory.domain.perceptor.language import Language
    from memory.domain.perceptor.prefilter import Passage

THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Weights:
    """What a signal and a bare statement count here, 1.0 for the user's own short message."""

    signal: float
    statement: float


@dataclass(slots=True)
class Read:
    """A passage in its own words, its language, and how much speaks for keeping it.

    `signals` are the findings that are strong enough, the weightiest first. To read only: a frozen
    one takes far longer to make.
    """

    passage: "Passage"
    text: str
    language: "Language"
    findings: tuple[Finding, ...]
    statement: Statement
    takes_values: bool = True
    is_barred: bool = False
    barred_because: str = ""
    signals: tuple[Signal, ...] = field(init=False)
    confidence: float = field(init=False)

    def __post_init__(self) -> None:
        """Set what follows from the findings: the strong ones, and how likely it is worth it."""
        self.signals = tuple([f.signal for f in self.findings if f.signal.confidence >= THRESHOLD])
        sure = [signal.confidence for signal in self.signals]
        self.confidence = max(sure) if sure else self.statement.confidence

    @property
    def is_strong(self) -> bool:
        """Whether the rules keep it."""
        return self.confidence >= THRESHOLD

    @property
    def doubt(self) -> float:
        """How likely it is worth keeping when the rules do not."""
        weak = (finding.signal.confidence for finding in self.findings)
        return max(self.statement.confidence, *weak, 0.0)


def read_passage(
    passage: "Passage", text: str, spoken: Sequence["Language"], weights: Weights
) -> Read:
    """What the detectors and the clues find in the passage."""
    language = language_of(passage.folded.lowered, spoken)
    if language.clauses.dependent is not None and passage.finds(language.clauses.dependent):
        bar = "it means nothing on its own"
        return Read(passage, text, language, (), NO_STATEMENT, is_barred=True, barred_because=bar)
    modifiers = modifiers_of(passage, spoken)
    findings = tuple(detect(passage, spoken, weights.signal, modifiers))
    takes_values = all(modifier.takes_values for modifier in modifiers)
    if any(finding.signal.confidence >= THRESHOLD for finding in findings):
        # What it would state without a signal, and what would bar that, no longer matters.
        return Read(passage, text, language, findings, NO_STATEMENT, takes_values)
    noise = statement_noise(passage, spoken)
    statement = NO_STATEMENT if noise else state(passage, language, weights.statement, modifiers)
    bar = noise.pattern.reason if noise and not findings else ""
    return Read(passage, text, language, findings, statement, takes_values, bool(bar), bar)


def detect_strong(passage: "Passage", spoken: Sequence["Language"]) -> list[Finding]:
    """The findings that would be kept if nothing else barred the passage."""
    found = detect(passage, spoken, 1.0, modifiers_of(passage, spoken))
    return [f for f in found if f.signal.confidence >= THRESHOLD]
