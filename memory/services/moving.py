"""Taking a memory from one scope to another, which decides anew who reads it."""

from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, transaction

from memory.domain.errors import InvalidInput
from memory.models import Embedding, Fact, Principal, Scope
from memory.services.actors import changes_by
from memory.services.arrivals import settle_there
from memory.services.conflicts import lock_claims
from memory.services.disputes import leave_disputes
from memory.services.facts import TwinExists
from memory.services.scopes import require_writable_scope

CHANGED_THERE = ["status", "status_reason", "superseded_at", "superseded_by", "valid_until"]
PASSAGE_STAYS = "A passage stays where its document is."
SAME_KEY = "A memory there has the same idempotency_key. Delete one of them first."


@transaction.atomic
def move_fact(*, principal: Principal, fact_id: UUID, scope: Scope) -> Fact:
    """Put a memory into another scope of the principal's; readers of the old one lose it.

    Beside another value of its key there the newest holds, as if both had been said there.

    Raises: Fact.DoesNotExist; Scope.DoesNotExist; PermissionDenied; TwinExists; InvalidInput
        for a passage.
    Side effects: its vectors move along; where it had none yet, the caller rings for embedding.
        For another owner it no longer names the turn it is from.
    """
    target = target_of_move(principal, scope)
    lock_claims(target.pk)
    fact: Fact = Fact.objects.visible_to(principal).with_owner().locked().get(pk=fact_id)
    require_writable_scope(principal, fact.scope)
    if fact.is_passage:
        raise InvalidInput(PASSAGE_STAYS)
    if fact.scope_id == target.pk:
        return fact
    if fact.scope.owner != target.owner:
        fact.turn = None
    fact.scope = target
    with changes_by(principal, "moved"):
        _save(fact)
        leave_disputes([fact])
        settle_there([fact])
    Embedding.objects.of_fact(fact.pk).update(scope=target)
    fact.refresh_from_db(fields=CHANGED_THERE)
    return fact


def target_of_move(principal: Principal, scope: Scope) -> Scope:
    """The scope as it is now, sure to take what the principal puts there.

    Raises: Scope.DoesNotExist; PermissionDenied.
    """
    target: Scope = Scope.objects.visible_to(principal).get(pk=scope.pk)
    require_writable_scope(principal, target)
    return target


def put_into(target: Scope, facts: Sequence[Fact]) -> None:
    """Move these memories and their vectors; each has to be one that may go there.

    Raises: IntegrityError when one of them is said there already.
    """
    ids = [fact.pk for fact in facts]
    changing_hands = [fact.pk for fact in facts if fact.scope.owner != target.owner]
    Fact.objects.filter(pk__in=changing_hands).update(scope=target, turn=None)
    Fact.objects.filter(pk__in=set(ids) - set(changing_hands)).update(scope=target)
    Embedding.objects.filter(fact__in=ids).update(scope=target)


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
        if fact.idempotency_key:
            raise InvalidInput(SAME_KEY, field="idempotency_key") from None
        raise
