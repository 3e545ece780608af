"""Undo: putting back what the last change of a memory did."""

from uuid import UUID

from django.db import transaction

from memory.domain.errors import InvalidInput
from memory.domain.fields import Status
from memory.models import Fact, FactHistory, Principal
from memory.models.history import TRACKED
from memory.services.embeddings import queue_embedding
from memory.services.facts import correct_fact, forget_fact, restore_fact
from memory.services.moving import move_fact

CORRECTED = [name for name in TRACKED if name not in {"scope", "status"}]


@transaction.atomic
def undo_change(*, principal: Principal, fact_id: UUID, expected: int | None = None) -> Fact:
    """Put back what the last change did to a memory's words, labels, readers or status.

    Raises: Fact.DoesNotExist; PermissionDenied; TwinExists; InvalidInput when there is nothing to
        undo, or when `expected`, the history state to undo, is not the last one any more.
    Side effects: queues embedding after a move.
    """
    # Locked before its past is read, so that what is undone is the last change.
    Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    states = list(FactHistory.objects.visible_to(principal).of(fact_id).select_related("scope"))
    if len(states) < 2:
        raise InvalidInput("This memory was never changed, so there is nothing to undo.")
    before, last = states[-2:]
    if expected is not None and last.pk != expected:
        raise InvalidInput("It was changed again since; nothing was undone.")
    if before.scope_id != last.scope_id:
        move_fact(principal=principal, fact_id=fact_id, scope=before.scope)
        queue_embedding(before.scope_id)
    if before.status != last.status:
        return _undo_status(principal, fact_id, before.status, last.status)
    changes = {
        name: getattr(before, name)
        for name in CORRECTED
        if getattr(before, name) != getattr(last, name)
    }
    return correct_fact(principal=principal, fact_id=fact_id, changes=changes)


def _undo_status(principal: Principal, fact_id: UUID, before: str, now: str) -> Fact:
    if before == Status.ACTIVE:
        return restore_fact(principal=principal, fact_id=fact_id)
    if before == Status.SUPERSEDED and now == Status.ARCHIVED:
        raise InvalidInput("Another memory had replaced it before. Restore it to use it again.")
    if before == Status.SUPERSEDED:
        raise InvalidInput("It had been replaced by another memory. Forget it instead.")
    return forget_fact(principal=principal, fact_id=fact_id)
