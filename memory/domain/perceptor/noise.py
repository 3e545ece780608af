"""What is not worth keeping: whole messages, lines and sentences, each with its reason."""

import re
from typing import TYPE_CHECKING

from memory.domain.perceptor.language import fold
from memory.domain.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.domain.perceptor.language import Language, Noise
    from memory.domain.perceptor.sentences import Sentence

_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_SECRET_REASON = "it holds a secret"  # noqa: S105 - a reason, not a secret


def message_noise(text: str, spoken: "Sequence[Language]") -> str | None:
    """Why nothing of the message is kept, or None."""
    if redact(text).found:
        return _SECRET_REASON
    folded = fold(text)
    for noise in _noise(spoken, "message"):
        if noise.pattern.search(folded):
            return noise.pattern.reason
    return None


def without_noisy_lines(text: str, spoken: "Sequence[Language]") -> tuple[str, str | None]:
    """The text with code, logs and markup blanked out, offsets kept, and why if there was any."""
    text, is_fenced = _without_fences(text)
    reasons: list[str] = []
    kept: list[str] = []
    lines = text.split("\n")
    for line in lines:
        reason = _line_noise(line, spoken)
        if reason is not None:
            reasons.append(reason)
        kept.append(line if reason is None else " " * len(line))
    written = sum(1 for line in lines if line.strip())
    # A few lines of code or log make the rest of the paste part of it.
    if reasons and 3 * len(reasons) >= written:
        return " " * len(text), reasons[0]
    if is_fenced and not text.strip():
        return text, "code, not a statement"
    return "\n".join(kept), reasons[0] if reasons else None


def sentence_noise(sentence: "Sentence", spoken: "Sequence[Language]") -> "Noise | None":
    """The first pattern that makes the sentence a greeting, a question or small talk."""
    folded = sentence.folded
    return next((n for n in _noise(spoken, "sentence") if n.pattern.search(folded)), None)


def statement_noise(sentence: "Sentence", spoken: "Sequence[Language]") -> "Noise | None":
    """The first pattern that bars a record unless some signal asks for it."""
    folded = sentence.folded
    return next((n for n in _noise(spoken, "statement") if n.pattern.search(folded)), None)


def _noise(spoken: "Sequence[Language]", scope: str) -> "Iterator[Noise]":
    return (noise for language in spoken for noise in language.noise if noise.scope == scope)


def _line_noise(line: str, spoken: "Sequence[Language]") -> str | None:
    if not line.strip():
        return None
    folded = fold(line)
    for noise in _noise(spoken, "line"):
        if noise.pattern.search(folded):
            return noise.pattern.reason
    return None


def _without_fences(text: str) -> tuple[str, bool]:
    if "```" not in text and "~~~" not in text:
        return text, False
    lines: list[str] = []
    is_inside = False
    for line in text.split("\n"):
        is_fence = _FENCE.match(line) is not None
        lines.append(" " * len(line) if is_fence or is_inside else line)
        is_inside ^= is_fence
    blanked = "\n".join(lines)
    return blanked, blanked != text
