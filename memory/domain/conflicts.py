"""What a new statement does to those that are kept: repeat, replace, stand beside, or dispute them.

Pure rules over the entity, key and value of statements, and over the words of corrections.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from memory.domain.perceptor.perception import SignalKind
from memory.domain.wording import KEYS_OF_MANY, WORDS_FOR_ONE, Wording, folded, holds, wording_of

if TYPE_CHECKING:
    from memory.domain.perceptor import Record

# Two that cannot both be true are never both believed more than this.
MOST_IN_DISPUTE = 0.5
ALIKE_BUT_DENIED = 0.6
ALIKE_BUT_NUMBERED = 0.8
# One of these may be true of the same thing beside another; its number changes from time to time.
COUNTED_KINDS = frozenset(("fact", "rule", "entity"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A new value of a key: when it was said, and whether capture has found it."""

    value: str
    at: datetime
    is_captured: bool = False
    may_coexist: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored value of the key; one that is a person's own word is not replaced by capture."""

    pk: UUID
    value: str
    at: datetime
    is_persons: bool = False
    may_coexist: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """That a statement takes something back, and the words it takes back."""

    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a new claim does; at most one of `reinforces` and `loses_to` is set."""

    reinforces: UUID | None = None
    supersedes: tuple[UUID, ...] = ()
    loses_to: UUID | None = None
    disputes: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stored statement that a correction may mean.

    Shape: `is_here` says that the same conversation gave it; the latest said comes first.
    """

    pk: UUID
    text: str
    value: str = ""
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a correction means, and whether it says less than that, so that words would be lost."""

    pk: UUID
    is_repeat: bool = False
    says_less: bool = False


def holds_many(key: str) -> bool:
    """Whether several values of this key may be true at once: languages, allergies, pets."""
    words = folded(key).replace("_", " ").replace("-", " ").split()
    if not words or WORDS_FOR_ONE & set(words):
        return False
    return any(each in KEYS_OF_MANY for each in _singulars(words[-1]))


def settle(
    new: Claim, kept: Sequence[Kept], *, key: str, correction: Correction | None = None
) -> Settlement:
    """What a claim does to those of the same scope, entity and key that are in use.

    The newest wins, also over what arrives late; a person's own word stands beside what capture
    has found, and so does what may coexist.
    """
    same = [each for each in kept if folded(each.value) == folded(new.value)]
    if same:
        others = [each for each in kept if each not in same] if _names(correction) else []
        taken = [each for each in _taken_back(others, correction) if each.at <= new.at]
        replaced = [each for each in taken if not (each.is_persons and new.is_captured)]
        return Settlement(reinforces=max(same, key=_order).pk, supersedes=_ids(replaced))
    beside = [each for each in kept if each.may_coexist or new.may_coexist]
    rivals = [each for each in kept if each not in beside]
    if holds_many(key):
        rivals = _taken_back(rivals, correction)
    latest = max(rivals, key=_order, default=None)
    if latest and latest.at > new.at:
        return Settlement(loses_to=latest.pk, disputes=_ids(beside))
    standing = [each for each in rivals if each.is_persons and new.is_captured]
    replaced = [each for each in rivals if each not in standing]
    return Settlement(supersedes=_ids(replaced), disputes=_ids([*beside, *standing]))


def corrected(text: str, correction: Correction, candidates: Sequence[Candidate]) -> Found | None:
    """The one statement that a correction means, or none rather than a doubtful one.

    Its taken-back words in a statement about the same thing; else, where it says nothing but the
    new word, in the only statement of the conversation that holds the old one; else the latest of
    the conversation that shares two words with it.
    """
    if repeated := _repeated(text, candidates):
        return Found(repeated.pk, is_repeat=True)
    own = subject_of(text, correction)
    holding = [each for each in candidates if _holds_any(each, correction.words)]
    meant = _closest(own, holding)
    if meant is None and _is_elliptic(own, correction):
        meant = _only([each for each in holding if each.is_here])
    if meant is None:
        meant = next((each for each in candidates if _is_close(own, each)), None)
    return Found(meant.pk, says_less=_says_less(text, meant, correction)) if meant else None


def subject_of(text: str, correction: Correction) -> Wording:
    """What the correction is about: its words without those that it takes back."""
    whole, back = wording_of(text), [wording_of(words) for words in correction.words]
    taken = frozenset[str]().union(*(each.words for each in back))
    numbers = {number for each in back for number in each.numbers}
    left = tuple(number for number in whole.numbers if number not in numbers)
    return replace(whole, words=whole.words - taken, numbers=left)


def about(text: str, old: str) -> str:
    """A correction that says less than what it corrects, with that beside it to be found by."""
    subject = old.partition(_ABOUT)[2].removesuffix(")") or old
    return f"{text}{_ABOUT}{subject})"


def contradicts(new: Wording, old: Wording, kind: str) -> bool:
    """Whether two statements of one kind say the same, but for a denial or one number.

    Those whose subjects have other numbers, as "ticket 123", are about different things.
    """
    if new.is_of_another(old):
        return False
    shared, all_words = new.words & old.words, new.words | old.words
    likeness = len(shared) / len(all_words) if all_words else 0.0
    if new.denies != old.denies:
        return likeness >= ALIKE_BUT_DENIED
    if kind not in COUNTED_KINDS or likeness < ALIKE_BUT_NUMBERED:
        return False
    return len(new.numbers) == len(old.numbers) and _differing(new.numbers, old.numbers) == 1


def correction_of(record: "Record") -> Correction | None:
    """What a captured record takes back; None where it corrects nothing."""
    is_one = any(signal.kind is SignalKind.CORRECTION for signal in record.signals)
    return Correction(record.corrects) if is_one else None


_ABOUT = " (corrects: "


def _order(kept: Kept) -> tuple[datetime, UUID]:
    return kept.at, kept.pk


def _ids(kept: Sequence[Kept]) -> tuple[UUID, ...]:
    return tuple(sorted(each.pk for each in kept))


def _singulars(word: str) -> tuple[str, ...]:
    return word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y"


def _names(correction: Correction | None) -> bool:
    """Whether it says which words it takes back."""
    return correction is not None and bool(correction.words)


def _taken_back(rivals: Sequence[Kept], correction: Correction | None) -> list[Kept]:
    """Of several values that are true at once, those that a correction takes back."""
    if correction is None:
        return []
    if not correction.words:
        return list(rivals) if len(rivals) == 1 else []
    return [
        each
        for each in rivals
        if any(holds(each.value, words) or holds(words, each.value) for words in correction.words)
    ]


def _repeated(text: str, candidates: Sequence[Candidate]) -> Candidate | None:
    said = folded(text)
    same = (each for each in candidates if folded(each.text.partition(_ABOUT)[0]) == said)
    return next(same, None)


def _is_close(own: Wording, candidate: Candidate) -> bool:
    return candidate.is_here and len(own.words & wording_of(candidate.text).words) >= 2


def _says_less(text: str, meant: Candidate, correction: Correction) -> bool:
    said = wording_of(" ".join([text, *correction.words])).words
    return bool(wording_of(meant.text).words - said)


def _holds_any(candidate: Candidate, phrases: Sequence[str]) -> bool:
    return any(holds(candidate.text, words) for words in phrases)


def _closest(own: Wording, candidates: Sequence[Candidate]) -> Candidate | None:
    """The one that shares most words; of two alike, the one of the same conversation or none."""
    shared = {each.pk: len(own.words & wording_of(each.text).words) for each in candidates}
    most = max(shared.values(), default=0)
    if not most:
        return None
    best = [each for each in candidates if shared[each.pk] == most]
    return _only(best) or _only([each for each in best if each.is_here])


def _only(candidates: Sequence[Candidate]) -> Candidate | None:
    return candidates[0] if len(candidates) == 1 else None


def _is_elliptic(own: Wording, correction: Correction) -> bool:
    """Whether nothing is left but what stands in for the words that are taken back."""
    if not correction.words:
        return False
    is_number = any(wording_of(words).numbers for words in correction.words)
    return not own.words if is_number else len(own.words) + len(own.numbers) <= 1


def _differing(new: tuple[str, ...], old: tuple[str, ...]) -> int:
    return sum(one != other for one, other in zip(new, old, strict=True))
