"""What was neither kept nor dropped, of a perceived message or of a stored turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.domain.perceptor import Doubt
from memory.services.doubts import KEPT, WAITS

# Between the parts of a reason.
_AND = "; "


@dataclass(frozen=True, slots=True)
class Unsure:
    """A sentence that is not sure enough: how sure it is, why, and what becomes of it."""

    text: str
    start: int
    end: int
    confidence: float
    reason: str
    outcome: str = ""


def unsure_of(doubts: Sequence[Doubt]) -> list[Unsure]:
    """The doubts about a message that is stored nowhere."""
    return [
        Unsure(each.text, each.start, each.end, each.confidence, each.reason) for each in doubts
    ]


def unsure_in(doubts: Sequence[Mapping[str, Any]]) -> list[Unsure]:
    """The doubts about a stored turn that no memory came from."""
    return [
        Unsure(
            each["text"],
            each["start"],
            each["end"],
            each["confidence"],
            each["reason"],
            _outcome(each),
        )
        for each in doubts
        if each.get("outcome") != KEPT
    ]


def unsaid(reason: str, unsure: Sequence[Unsure]) -> str:
    """What of the reason why a turn gave nothing its unsure sentences do not say already."""
    told = {part for each in unsure for part in f"{each.reason}{_AND}{each.outcome}".split(_AND)}
    return _AND.join(part for part in reason.split(_AND) if part not in told)


def _outcome(doubt: Mapping[str, Any]) -> str:
    given = str(doubt.get("outcome") or WAITS)
    return "waits for a closer look" if given == WAITS else given
