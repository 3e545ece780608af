"""What is not worth keeping: whole messages, lines and sentences, each with its reason."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memory.domain.perceptor.patterns import fold
from memory.domain.redaction import redact
from memory.domain.redaction.masks import places_of_masks

if TYPE_CHECKING:
    from memory.domain.perceptor.language import Language, Noise
    from memory.domain.perceptor.prefilter import Passage, Scan

_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_SECRET_REASON = "it holds a secret"  # noqa: S105 - a reason, not a secret
_ECHO_REASON = "an echo of stored memories"
_CODE_REASON = "code, not a statement"
_EMOJI_REASON = "hardly more than emoji"
_TOO_SHORT = "too short to mean anything"
# Pictographs with the joiners, skin tones and selectors between them.
_EMOJI = re.compile("[\U0001f1e6-\U0001faff\u2600-\u27bf\u2b50\u2b55\u2764\ufe0f\u200d]")
_MARKS_OF_EMOJI = "\ufe0f\u200d"
_LETTERS = re.compile(r"[^\W\d_]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MAX_EMOJI = 3
MIN_LETTERS = 4
MIN_WIDE_LETTERS = 2
_ENOUGH_LETTERS = re.compile(rf"(?:[^\W\d_][\W\d_]*){{{MIN_LETTERS}}}")


def message_noise(text: str, whole: "Passage", spoken: Sequence["Language"]) -> str | None:
    """Why nothing of the message is kept, or None."""
    if redact(text).found:
        return _SECRET_REASON
    noise = _first_noise(_unmasked(whole, text), "message", spoken)
    return noise.pattern.reason if noise else None


def _unmasked(whole: "Passage", text: str) -> "Passage":
    """The passage without the masks of secrets, which bar only the sentences that hold them."""
    masks = places_of_masks(text)
    if not masks:
        return whole
    for start, end in masks:
        text = text[:start] + " " * (end - start) + text[end:]
    return whole.reworded(fold(text))


def sentence_limits(text: str) -> str | None:
    """Why a sentence is too slight to keep, whatever it says: hardly a letter, mostly emoji."""
    if not _ENOUGH_LETTERS.search(text) and len(_WIDE.findall(text)) < MIN_WIDE_LETTERS:
        return _TOO_SHORT
    emoji = sum(1 for mark in _EMOJI.findall(text) if mark not in _MARKS_OF_EMOJI)
    if emoji > MAX_EMOJI and emoji * MAX_EMOJI > sum(map(len, _LETTERS.findall(text))):
        return _EMOJI_REASON
    return None


def without_noisy_lines(
    scan: "Scan", text: str, spoken: Sequence["Language"]
) -> tuple[str, str | None]:
    """The text with code, logs, markup and echoes blanked out, offsets kept, and why if any."""
    blanked, is_fenced = _without_fences(text)
    lines = blanked.split("\n")
    found = list(_line_reasons(scan, lines, spoken))
    reasons = [why for why in found if why is not None]
    if not reasons and not is_fenced:
        return text, None
    kept = [
        line if why is None else " " * len(line) for line, why in zip(lines, found, strict=True)
    ]
    pasted = [why for why in reasons if why != _ECHO_REASON]
    written = sum(1 for line in lines if line and not line.isspace())
    # A few lines of code or log make the rest of the paste part of it.
    if pasted and 3 * len(pasted) >= written:
        return " " * len(text), pasted[0]
    if is_fenced and not blanked.strip():
        return blanked, _CODE_REASON
    return "\n".join(kept), reasons[0] if reasons else None


def _line_reasons(
    scan: "Scan", lines: list[str], spoken: Sequence["Language"]
) -> Iterator[str | None]:
    start = scan.offset
    is_echo = False
    for line in lines:
        end = start + len(line)
        if not line or line.isspace():
            is_echo = False
            yield None
        else:
            passage = scan.passage(start, end)
            # What follows the heading of an injected memory is the memory itself.
            is_echo = is_echo or _is_echo(passage, spoken)
            yield _ECHO_REASON if is_echo else _line_noise(passage, spoken)
        start = end + 1


def _is_echo(passage: "Passage", spoken: Sequence["Language"]) -> bool:
    return any(passage.first(language.echoes) is not None for language in spoken)


def masked_secret(text: str) -> str | None:
    """Why a sentence with a masked secret is never kept: its rest would mean nothing."""
    return _SECRET_REASON if places_of_masks(text) else None


def sentence_noise(passage: "Passage", spoken: Sequence["Language"]) -> "Noise | None":
    """The first pattern that makes the sentence a greeting, a question or small talk."""
    return _first_noise(passage, "sentence", spoken)


def statement_noise(passage: "Passage", spoken: Sequence["Language"]) -> "Noise | None":
    """The first pattern that bars a record unless some signal asks for it."""
    return _first_noise(passage, "statement", spoken)


def _first_noise(passage: "Passage", scope: str, spoken: Sequence["Language"]) -> "Noise | None":
    for language in spoken:
        noise = passage.first(language.noise[scope])
        if noise is not None:
            return noise
    return None


def _line_noise(passage: "Passage", spoken: Sequence["Language"]) -> str | None:
    noise = _first_noise(passage, "line", spoken)
    return noise.pattern.reason if noise else None


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
