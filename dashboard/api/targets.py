"""What a request names: its scope, agent and conversation, inside the principal's ceiling."""

from typing import TYPE_CHECKING

from dashboard.api.schemas import ScopeChoice, ScopeIn
from dashboard.queries.conversations import conversation_named
from memory.models import Agent, Conversation, Principal, Scope
from memory.services.scopes import named_agent, scope_for_writing
from memory.services.turns import conversation_for

if TYPE_CHECKING:
    from uuid import UUID


def scope_to_write(
    principal: Principal,
    choice: ScopeChoice | None,
    *,
    conversation: Conversation | None = None,
    agent: str | None = None,
) -> Scope:
    """The scope that a body names; the user's own by default.

    Raises: InvalidInput; PermissionDenied; Agent.DoesNotExist; Conversation.DoesNotExist.
    """
    wanted = choice if isinstance(choice, ScopeIn) else ScopeIn(kind=choice or "user")
    if wanted.conversation:
        conversation = conversation_to_write(principal, wanted.conversation)
    return scope_for_writing(
        principal,
        kind=wanted.kind,
        agent=named_agent(principal, wanted.agent or agent),
        conversation=conversation,
    )


def conversation_to_write(principal: Principal, name: str) -> Conversation:
    """The conversation with this key or id; a key that is new makes one.

    Raises: InvalidInput; Conversation.DoesNotExist when the key is another agent's.
    """
    return conversation_named(principal, name) or conversation_for(principal, name)


def scopes_to_recall(
    principal: Principal, *, agent: str | None, conversation: str | None
) -> "list[UUID]":
    """The scopes that a question searches.

    Raises: Agent.DoesNotExist; Conversation.DoesNotExist.
    """
    named: Agent | None = named_agent(principal, agent) if agent else None
    talk = conversation_named(principal, conversation) if conversation else None
    if conversation and talk is None:
        raise Conversation.DoesNotExist
    return principal.recall_scopes(agent=named, conversation=talk)
