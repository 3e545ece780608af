"""Taking away an account, an agent or a conversation with all that hangs off it, for good."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.module_loading import import_string
from pghistory.models import Context

from memory.domain.errors import InvalidInput
from memory.models import (
    Agent,
    Conversation,
    Fact,
    FactHistory,
    JobRun,
    Principal,
    Scope,
    Turn,
    User,
    across_owners,
)
from memory.services.sessions import end_sessions

BATCH = 500
SOMEBODY_GONE = "a removed account"
ONESELF = "You cannot remove your own account. Ask another superuser."


@transaction.atomic
def remove_conversation(*, principal: Principal, conversation_id: UUID) -> None:
    """Delete a conversation with its turns and its own memories; what is the user's stays.

    Raises: Conversation.DoesNotExist.
    """
    own = Conversation.objects.visible_to(principal)
    conversation = own.select_for_update(of=("self",)).get(pk=conversation_id)
    with across_owners():
        _empty(Scope.objects.filter(conversation=conversation))
        _in_batches(Turn.objects.filter(conversation=conversation))
        conversation.delete()
    principal.forget_ceiling()


@transaction.atomic
def remove_agent(*, principal: Principal, agent_id: UUID) -> None:
    """Delete an agent with its tokens, conversations and memories; what is the user's stays.

    Raises: Agent.DoesNotExist.
    """
    own = Agent.objects.visible_to(principal)
    agent = own.select_for_update(of=("self",)).get(pk=agent_id)
    with across_owners():
        _empty(Scope.objects.filter(Q(agent=agent) | Q(conversation__agent=agent)))
        _in_batches(Turn.objects.filter(conversation__agent=agent))
        agent.delete()
    principal.forget_ceiling()


@transaction.atomic
def remove_account(*, principal: Principal, user_id: UUID) -> None:
    """Delete an account with its agents, conversations, documents and memories.

    Raises: User.DoesNotExist; PermissionDenied for all but superusers; InvalidInput for oneself.
    """
    if principal.user.pk == user_id:
        raise InvalidInput(ONESELF)
    user = _locked(principal.user, user_id)
    with across_owners():
        _empty(Scope.objects.owned_by(user))
        _in_batches(Turn.objects.filter(conversation__owner=user))
        _forget_name(user)
        end_sessions(user)
        user.delete()


def _locked(actor: User, user_id: UUID) -> User:
    # In one order for all: of two superusers who remove each other at once, one is left.
    locked = User.objects.select_for_update(of=("self",)).order_by("pk")
    found = {user.pk: user for user in locked.filter(pk__in=[actor.pk, user_id])}
    current = found.get(actor.pk)
    if current is None or not current.is_active or not current.is_superuser:
        raise PermissionDenied("Only a superuser may remove an account.")
    if user_id not in found:
        raise User.DoesNotExist
    return found[user_id]


def _empty(scopes: QuerySet[Scope]) -> None:
    # Locked first: whoever wants to write into one of them waits, and then finds it gone.
    locked = scopes.select_for_update(of=("self",)).order_by("pk")
    found = list(locked.values_list("pk", flat=True))
    for remove in settings.LONGHAND_REMOVALS:
        import_string(remove)(found)
    _in_batches(Fact.objects.filter(scope__in=found))
    _in_batches(Turn.objects.filter(scope__in=found))
    _drop_history(FactHistory.objects.filter(scope__in=found))
    JobRun.objects.filter(worked_in__in=found).delete()
    Scope.objects.filter(pk__in=found).delete()


def _in_batches(rows: QuerySet[Any]) -> None:
    """Delete rows with all that hangs off them, a batch at a time so that memory stays small."""
    while True:
        # In this order and locked: a worker that is embedding them waits, and then finds none.
        locked = rows.order_by("pk").select_for_update(of=("self",))
        pks = list(locked.values_list("pk", flat=True)[:BATCH])
        if not pks:
            return
        _drop_history(FactHistory.objects.filter(pgh_obj__in=pks))
        rows.model.objects.filter(pk__in=pks).delete()


def _drop_history(states: QuerySet[FactHistory]) -> None:
    contexts = list(states.values_list("pgh_context", flat=True).distinct())
    states.delete()
    others = FactHistory.objects.filter(pgh_context=OuterRef("pk"))
    Context.objects.filter(~Exists(others), pk__in=[pk for pk in contexts if pk]).delete()


def _forget_name(user: User) -> None:
    """What they did to everybody's memories stays, without their name."""
    left = list(Context.objects.filter(metadata__user=str(user.pk)))
    for context in left:
        context.metadata = {**context.metadata, "user": "", "actor": SOMEBODY_GONE}
    Context.objects.bulk_update(left, ["metadata"], batch_size=BATCH)
