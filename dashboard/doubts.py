"""What was neither kept nor dropped, of a perceived message or of a stored turn."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.domain.perceptor import Doubt
from memory.services.doubts import KEPT, WAITS

A_RULE, THE_CLASSIFIER = "a rule", "the classifier"
# Between the parts of a reason.
_AND = "; "
# What the classifier gives a sentence, as it was and is told; the number stands beside it already.
_VERDICT = re.compile(
    r"(?:; |, and |^)(?:below the threshold:|the classifier gives it) \d\.\d\d"
    r"(?:, too little to keep it)?"
)


@dataclass(frozen=True, slots=True)
class Unsure:
    """A sentence that is not sure enough: how sure who is of it, why, and what becomes of it."""

    text: str
    start: int
    end: int
    confidence: float
    reason: str
    outcome: str = ""
    judge: str = A_RULE


def unsure_of(doubts: Sequence[Doubt], *, judge: str) -> list[Unsure]:
    """The doubts about a message that is stored nowhere, each as sure as its judge is."""
    return [
        Unsure(
            each.text,
            each.start,
            each.end,
            each.confidence,
            _without_verdict(each.reason),
            judge=judge,
        )
        for each in doubts
    ]


def unsure_in(doubts: Sequence[Mapping[str, Any]]) -> list[Unsure]:
    """The doubts about a stored turn that no memory came from."""
    return [_stored(each) for each in doubts if each.get("outcome") != KEPT]


def unsaid(reason: str, unsure: Sequence[Unsure]) -> str:
    """What of the reason why a turn gave nothing its unsure sentences do not say already."""
    told = {part for each in unsure for part in f"{each.reason}{_AND}{each.outcome}".split(_AND)}
    if unsure:
        reason = _without_verdict(reason)
    return _AND.join(part for part in reason.split(_AND) if part not in told)


def _stored(doubt: Mapping[str, Any]) -> Unsure:
    given = doubt.get("keep")
    # Once it has decided, the number of the rules says nothing of why.
    confidence, judge = (doubt["confidence"], A_RULE) if given is None else (given, THE_CLASSIFIER)
    return Unsure(
        doubt["text"],
        doubt["start"],
        doubt["end"],
        confidence,
        _without_verdict(doubt["reason"]),
        _outcome(doubt),
        judge,
    )


def _outcome(doubt: Mapping[str, Any]) -> str:
    given = str(doubt.get("outcome") or WAITS)
    return "waits for a closer look" if given == WAITS else _without_verdict(given)


def _without_verdict(reason: str) -> str:
    return _VERDICT.sub("", reason).removeprefix(_AND)
