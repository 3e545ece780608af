"""Taking a memory from one scope to another, which decides anew who reads it."""

from uuid import UUID

from django.db import IntegrityError, transaction

from memory.domain.errors import InvalidInput
from memory.models import Embedding, Fact, Principal, Scope
from memory.services.actors import changes_by
from memory.services.facts import TwinExists
from memory.services.scopes import require_writable_scope

PASSAGE_STAYS = "A passage stays where its document is."


@transaction.atomic
def move_fact(*, principal: Principal, fact_id: UUID, scope: Scope) -> Fact:
    """Put a memory into another scope of the principal's; readers of the old one lose it.

    Raises: Fact.DoesNotExist; Scope.DoesNotExist; PermissionDenied; TwinExists; InvalidInput
        for a passage.
    Side effects: its vectors move along; where it had none yet, the caller rings for embedding.
        For another owner it no longer names the turn it is from.
    """
    fact: Fact = Fact.objects.visible_to(principal).with_owner().locked().get(pk=fact_id)
    target = Scope.objects.visible_to(principal).get(pk=scope.pk)
    require_writable_scope(principal, fact.scope)
    require_writable_scope(principal, target)
    if fact.is_passage:
        raise InvalidInput(PASSAGE_STAYS)
    if fact.scope_id == target.pk:
        return fact
    if fact.scope.owner != target.owner:
        fact.turn = None
    fact.scope = target
    with changes_by(principal, "moved"):
        _save(fact)
    Embedding.objects.of_fact(fact.pk).update(scope=target)
    return fact


def _save(fact: Fact) -> None:
    digest = bytes(fact.content_hash)
    twins = Fact.objects.twins_of(scope_id=fact.scope_id, content_hash=digest)
    if fact.is_active and (twin := twins.first()):
        raise TwinExists(twin)
    try:
        with transaction.atomic():
            fact.save(update_fields=["scope", "turn"])
    except IntegrityError:
        # Somebody kept the same words there in the same moment.
        if twin := twins.first():
            raise TwinExists(twin) from None
        raise
