"""What a turn's rules were unsure of: marked on the turn, and rung for."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils import timezone

from memory.domain.classifier.decision import is_in_doubt, too_little
from memory.domain.perceptor import Doubt, Perception
from memory.models import Turn, across_owners
from memory.services.queue import QUICK, enqueue, is_waiting

if TYPE_CHECKING:
    from django.db.models import QuerySet

WAITS, KEPT = "waits", "kept"
STAYS = "stays a turn"
UNDECIDED = f"could not be decided; {STAYS}"
CLASSIFY_SCOPE = "memory.tasks.classify_scope"
CLASSIFY_EVERYTHING = "memory.tasks.classify_everything"
MOST_ATTEMPTS = 5
SETTLES_IN = timedelta(seconds=20)


def mark_doubts(turn: Turn, perception: Perception) -> None:
    """Note on the turn what the rules are unsure of; it is not saved here."""
    turn.doubts = [_waiting(doubt) for doubt in perception.doubts]
    turn.in_doubt = is_in_doubt(perception)
    turn.attempts, turn.last_error = 0, ""


def settled_doubts(before: Sequence[Doubt], after: Perception) -> list[dict[str, Any]]:
    """The doubts of a turn with what became of each; a record that fell is one of them."""
    left = {(doubt.start, doubt.end): doubt for doubt in after.doubts}
    settled = []
    for doubt in before:
        final = left.pop((doubt.start, doubt.end), None)
        settled.append(_left(doubt, final) if final else _waiting(doubt) | {"outcome": KEPT})
    return settled + [_left(doubt, doubt) for doubt in left.values()]


def queue_doubts(scope_id: UUID) -> None:
    """Have the classifier look soon at what is in doubt in this scope."""
    enqueue(CLASSIFY_SCOPE, scope_id, cluster=QUICK)


def queue_doubtful() -> None:
    """Ring again for turns in doubt that no worker has come to: a bell was lost, or one died."""
    now = timezone.now()
    with across_owners():
        due = doubtful(now).filter(recorded_at__lt=now - SETTLES_IN)
        is_any_due = due.exists()
    if is_any_due and not is_waiting(CLASSIFY_EVERYTHING, QUICK):
        enqueue(CLASSIFY_EVERYTHING, cluster=QUICK)


def doubtful(now: datetime) -> "QuerySet[Turn]":
    """Turns in doubt that nobody works on, but for those that were tried too often."""
    return Turn.objects.in_doubt().unclaimed(now).filter(attempts__lt=MOST_ATTEMPTS)


def given_up(now: datetime) -> "QuerySet[Turn]":
    """Turns in doubt that were tried too often."""
    return Turn.objects.in_doubt().unclaimed(now).filter(attempts__gte=MOST_ATTEMPTS)


def anything_in_doubt() -> bool:
    """Whether the classifier has anything to do in the active scopes."""
    return doubtful(timezone.now()).exists()


def _waiting(doubt: Doubt) -> dict[str, Any]:
    return {
        "text": doubt.text,
        "start": doubt.start,
        "end": doubt.end,
        "confidence": doubt.confidence,
        "reason": doubt.reason,
        "keep": None,
        "outcome": WAITS,
    }


def _left(doubt: Doubt, final: Doubt) -> dict[str, Any]:
    outcome = f"{too_little(final.confidence)}; {STAYS}"
    return _waiting(doubt) | {"keep": final.confidence, "outcome": outcome}
