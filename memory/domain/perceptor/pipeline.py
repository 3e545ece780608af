"""From a message to what is worth keeping of it, by rules alone."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.domain.fields import Role
from memory.domain.perceptor.dates import leading_stamp
from memory.domain.perceptor.detectors import Finding, detect, statement_confidence
from memory.domain.perceptor.language import Language, languages
from memory.domain.perceptor.noise import (
    message_noise,
    sentence_noise,
    statement_noise,
    without_noisy_lines,
)
from memory.domain.perceptor.perception import Perception, Record, Signal, SignalKind
from memory.domain.perceptor.records import Setting, make_record
from memory.domain.perceptor.sentences import Sentence, join_fragments, split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

HEAD_CHARACTERS = 4_000
TAIL_CHARACTERS = 1_000
MAX_RECORDS = 3
THRESHOLD = 0.5

_ROLE_WEIGHTS = {Role.USER.value: 1.0, Role.ASSISTANT.value: 0.6}
_ROLE_REASONS = {Role.SYSTEM.value: "a system prompt", Role.TOOL.value: "tool output"}
_DELIBERATE = frozenset((SignalKind.CORRECTION, SignalKind.MEMORY_REQUEST))
_NO_LANGUAGE = "no words of a known language"
_NOTHING = "nothing in it looked worth keeping"


@dataclass(frozen=True, slots=True)
class _Read:
    """One sentence with what was found in it."""

    sentence: Sentence
    findings: tuple[Finding, ...]
    statement: float

    @property
    def signals(self) -> tuple[Signal, ...]:
        return tuple(f.signal for f in self.findings if f.signal.confidence >= THRESHOLD)

    @property
    def confidence(self) -> float:
        return max((signal.confidence for signal in self.signals), default=self.statement)


def perceive(text: str, role: str = "user", observed_at: "datetime | None" = None) -> Perception:
    """What of a message is worth keeping and why, or in one sentence why nothing is.

    The same message always gives the same answer; only its first 4,000 and last 1,000 characters
    are read.
    """
    if role not in _ROLE_WEIGHTS:
        return _nothing(_ROLE_REASONS.get(role, f"the unknown role “{role[:40]}”"))
    source_date, offset = leading_stamp(text, observed_at)
    windows = _windows(text, offset)
    spoken = _spoken(windows)
    if not spoken:
        return _nothing(_NO_LANGUAGE if text.strip() else "an empty message")
    for _, window in windows:
        reason = message_noise(window, spoken)
        if reason is not None:
            return _nothing(reason)
    reads, reason = _read(text, windows, spoken, weight=_ROLE_WEIGHTS[role])
    return _perception(reads, reason, Setting(spoken, source_date, source_date or observed_at))


def _windows(text: str, offset: int) -> list[tuple[int, str]]:
    if len(text) - offset <= HEAD_CHARACTERS + TAIL_CHARACTERS:
        return [(offset, text[offset:])]
    tail = len(text) - TAIL_CHARACTERS
    return [(offset, text[offset : offset + HEAD_CHARACTERS]), (tail, text[tail:])]


def _spoken(windows: "Sequence[tuple[int, str]]") -> list[Language]:
    return [
        language
        for language in languages()
        if any(language.applies.search(window) for _, window in windows)
    ]


def _read(
    text: str, windows: "Sequence[tuple[int, str]]", spoken: list[Language], *, weight: float
) -> tuple[list[_Read], str | None]:
    reads: list[_Read] = []
    reasons: list[str] = []
    for offset, window in windows:
        kept, reason = without_noisy_lines(window, spoken)
        reasons += [reason] if reason else []
        sentences: list[Sentence] = []
        for sentence in split_sentences(kept, offset, spoken):
            noise = sentence_noise(sentence, spoken)
            if noise is None or _survives(sentence, noise.kind, spoken):
                sentences.append(sentence)
            else:
                reasons.append(noise.pattern.reason)
        joined = join_fragments(sentences, text)
        reads += [_read_sentence(sentence, spoken, weight) for sentence in joined]
    return reads, reasons[0] if reasons else None


def _survives(sentence: Sentence, kind: str, spoken: list[Language]) -> bool:
    """Whether a question is a polite request, or small talk holds a deliberate one."""
    strong = [f for f in detect(sentence, spoken, 1.0) if f.signal.confidence >= THRESHOLD]
    if kind == "question":
        return any(finding.survives_question for finding in strong)
    return any(finding.signal.kind in _DELIBERATE for finding in strong)


def _read_sentence(sentence: Sentence, spoken: list[Language], weight: float) -> _Read:
    findings = detect(sentence, spoken, weight)
    barred = statement_noise(sentence, spoken) is not None
    statement = 0.0 if barred else round(statement_confidence(sentence, spoken) * weight, 2)
    return _Read(sentence, tuple(findings), statement)


def _perception(reads: list[_Read], reason: str | None, setting: Setting) -> Perception:
    strong = [read for read in reads if read.confidence >= THRESHOLD]
    best = sorted(strong, key=lambda read: (not read.signals, -read.confidence))[:MAX_RECORDS]
    records: list[Record] = []
    for read in sorted(best, key=lambda read: read.sentence.start):
        record = make_record(read.sentence, read.signals, read.confidence, setting)
        records += [record] if record else []
    if not records:
        return _nothing(_weakness(reads) or reason or _NOTHING)
    signals = tuple(signal for record in records for signal in record.signals)
    return Perception(signals, tuple(records), None)


def _weakness(reads: list[_Read]) -> str | None:
    weak = [finding.signal for read in reads for finding in read.findings]
    if not weak:
        return None
    best = max(weak, key=lambda signal: signal.confidence)
    return f"no signal was strong enough: {best.kind.value} {best.confidence:.2f}, {best.reason}"


def _nothing(reason: str) -> Perception:
    return Perception((), (), reason)
