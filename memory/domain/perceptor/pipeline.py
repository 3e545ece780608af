"""From a message to what is worth keeping of it, by rules alone."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memory.domain.fields import Role
from memory.domain.perceptor.clauses import cut
from memory.domain.perceptor.dates import leading_stamp
from memory.domain.perceptor.loading import lexicon
from memory.domain.perceptor.noise import (
    masked_secret,
    message_noise,
    sentence_limits,
    sentence_noise,
    without_noisy_lines,
)
from memory.domain.perceptor.patterns import fold
from memory.domain.perceptor.perception import Doubt, Perception, Record, Signal, SignalKind
from memory.domain.perceptor.reading import Read, Weights, detect_strong, read_passage
from memory.domain.perceptor.records import Setting, make_record
from memory.domain.perceptor.sentences import Sentence, join_fragments, split_sentences
from memory.domain.perceptor.tongues import applying, spoken_in

if TYPE_CHECKING:
    from datetime import datetime

    from memory.domain.perceptor.language import Language
    from memory.domain.perceptor.prefilter import Passage, Scan

HEAD_CHARACTERS = 4_000
TAIL_CHARACTERS = 1_000
# Of each of the two; as many short ones as this are no message that somebody wrote.
MAX_SENTENCES = 200
MAX_RECORDS = 3
MAX_DOUBTS = 3
# In a long message, which is pasted more often than typed, a bare statement is not enough.
PASTED_CHARACTERS = 1_200
PASTED_WEIGHT = 0.8

# What somebody who is not the user says counts less.
ROLE_WEIGHTS = {Role.USER.value: 1.0, Role.ASSISTANT.value: 0.6}
_ROLE_REASONS = {Role.SYSTEM.value: "a system prompt", Role.TOOL.value: "tool output"}
_DELIBERATE = frozenset((SignalKind.CORRECTION, SignalKind.MEMORY_REQUEST))
_NO_LANGUAGE = "no words of a known language"
_NOTHING = "nothing in it looked worth keeping"


def perceive(text: str, role: str = "user", observed_at: "datetime | None" = None) -> Perception:
    """What of a message is worth keeping and why, or in one sentence why nothing is.

    The same message always gives the same answer; only its first 4,000 and last 1,000 characters
    are read.
    """
    if role not in ROLE_WEIGHTS:
        return _nothing(_ROLE_REASONS.get(role, f"the unknown role “{role[:40]}”"))
    source_date, offset = leading_stamp(text, observed_at)
    windows = _windows(text, offset)
    known = lexicon()
    scans = [known.prefilter.scan(fold(window), start) for start, window in windows]
    heard = applying(scans, known.languages)
    if not heard:
        return _nothing(_NO_LANGUAGE if text.strip() else "an empty message")
    for scan, (_, window) in zip(scans, windows, strict=True):
        reason = message_noise(window, scan.whole(), heard)
        if reason is not None:
            return _nothing(reason)
    kept = [
        _Kept(scan, *without_noisy_lines(scan, window, heard))
        for scan, (_, window) in zip(scans, windows, strict=True)
    ]
    spoken = spoken_in(scans, heard)
    reads, reason = _read(text, kept, spoken, _weights(role, len(text) - offset))
    now = source_date or observed_at
    return _perception(reads, reason, Setting(spoken, source_date, now, known.tags))


class _Kept(NamedTuple):
    """A stretch of the message with its noisy lines blanked out, and why if there are any."""

    scan: "Scan"
    text: str
    reason: str | None


def _weights(role: str, length: int) -> Weights:
    weight = ROLE_WEIGHTS[role]
    return Weights(weight, weight * (PASTED_WEIGHT if length > PASTED_CHARACTERS else 1.0))


def _windows(text: str, offset: int) -> list[tuple[int, str]]:
    if len(text) - offset <= HEAD_CHARACTERS + TAIL_CHARACTERS:
        return [(offset, text[offset:])]
    tail = len(text) - TAIL_CHARACTERS
    return [(offset, text[offset : offset + HEAD_CHARACTERS]), (tail, text[tail:])]


def _read(
    text: str, windows: Sequence[_Kept], spoken: list["Language"], weights: Weights
) -> tuple[list[Read], str | None]:
    reads: list[Read] = []
    reasons = [kept.reason for kept in windows if kept.reason]
    for scan, kept, _ in windows:
        sentences: list[Sentence] = []
        pieces = split_sentences(kept, scan.offset, spoken, scan.whole().cues)
        for sentence in pieces[:MAX_SENTENCES]:
            reason = _dropped(sentence, scan.passage(sentence.start, sentence.end), spoken)
            if reason is None:
                sentences.append(sentence)
            else:
                reasons.append(reason)
        for sentence in join_fragments(sentences, text):
            reason = sentence_limits(sentence.text)
            if reason is None:
                reads += _clauses(sentence, scan, spoken, weights)
            else:
                reasons.append(reason)
    bars = (read.barred_because for read in reads if read.barred_because)
    return reads, next(iter(reasons), None) or next(bars, None)


def _dropped(sentence: Sentence, passage: "Passage", spoken: Sequence["Language"]) -> str | None:
    """Why the sentence is dropped for good: a greeting, a question, small talk."""
    if masked_secret(sentence.text):
        return masked_secret(sentence.text)
    noise = sentence_noise(passage, spoken)
    if noise is None:
        return None
    strong = detect_strong(passage, spoken)
    if noise.kind == "question":
        # A polite request to remember ends with a question mark too.
        survives = any(finding.survives_question for finding in strong)
    else:
        survives = any(finding.signal.kind in _DELIBERATE for finding in strong)
    return None if survives else noise.pattern.reason


def _clauses(
    sentence: Sentence, scan: "Scan", spoken: Sequence["Language"], weights: Weights
) -> Iterator[Read]:
    passage = scan.passage(sentence.start, sentence.end)
    whole = read_passage(passage, sentence.text, spoken, weights)
    halves = cut(whole, scan, spoken, weights) if whole.is_strong else ()
    yield from halves or (whole,)


def _perception(reads: list[Read], reason: str | None, setting: Setting) -> Perception:
    strong = [read for read in reads if read.is_strong]
    best = sorted(strong, key=lambda read: (not read.signals, -read.confidence))[:MAX_RECORDS]
    records: list[Record] = []
    for read in sorted(best, key=lambda read: read.passage.start):
        record = make_record(read, setting)
        records += [record] if record else []
    doubts = _doubts(reads, setting)
    if not records:
        return Perception((), (), _weakness(reads) or reason or _NOTHING, doubts)
    signals = tuple(signal for record in records for signal in record.signals)
    return Perception(signals, tuple(records), None, doubts)


def _doubts(reads: list[Read], setting: Setting) -> tuple[Doubt, ...]:
    """The likeliest of what is neither kept nor dropped, in order of the text."""
    open_ones = [read for read in reads if not read.is_strong and not read.is_barred]
    best = sorted(open_ones, key=lambda read: (-read.doubt, -len(read.text)))[:MAX_DOUBTS]
    return tuple(
        Doubt(
            text=read.text,
            start=read.passage.start,
            end=read.passage.end,
            confidence=read.doubt,
            signals=tuple(finding.signal for finding in read.findings),
            reason=_doubt_reason(read),
            record=make_record(read, setting),
        )
        for read in sorted(best, key=lambda read: read.passage.start)
    )


def _doubt_reason(read: Read) -> str:
    signal = _best_signal([read])
    if signal is not None and signal.confidence >= read.statement.confidence:
        return f"a weak {signal.kind.value.replace('_', ' ')}: {signal.reason}"
    if not read.statement.reasons:
        return "no clue that the rules know"
    return f"only weak clues: {', '.join(read.statement.reasons)}"


def _weakness(reads: list[Read]) -> str | None:
    best = _best_signal(reads)
    if best is None:
        return None
    return f"no signal was strong enough: {best.kind.value} {best.confidence:.2f}, {best.reason}"


def _best_signal(reads: list[Read]) -> Signal | None:
    weak = [finding.signal for read in reads for finding in read.findings]
    return max(weak, key=lambda signal: signal.confidence, default=None)


def _nothing(reason: str) -> Perception:
    return Perception((), (), reason)
