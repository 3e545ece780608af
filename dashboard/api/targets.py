"""What a request names: its scope, agent and conversation, inside the principal's ceiling."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.core.exceptions import ObjectDoesNotExist

from dashboard.api.problems import OutOfReach
from dashboard.api.schemas import ScopeChoice, ScopeIn
from dashboard.queries.conversations import conversation_named
from memory.models import Agent, Conversation, Principal, Scope
from memory.services.scopes import named_agent, scope_for_writing
from memory.services.turns import conversation_for

if TYPE_CHECKING:
    from uuid import UUID

NO_AGENT = (
    "No agent of this name is yours to use here. Names are as on the page Agents; the token of "
    "an agent names none but itself."
)
# A name belongs to the owner of all agents, so it may be taken by what this token does not reach.
NOT_TO_WRITE = (
    "No conversation of this name is yours to write to. Use another name, or the token of the "
    "agent that began it."
)
NO_CONVERSATION = (
    "No conversation of this name or id is yours to search. A conversation begins with its first "
    "turn; the token of an agent reaches its own only."
)


def scope_to_write(
    principal: Principal,
    choice: ScopeChoice | None,
    *,
    conversation: Conversation | None = None,
    agent: str | None = None,
) -> Scope:
    """The scope that a body names; the user's own by default.

    Raises: InvalidInput; PermissionDenied; OutOfReach.
    """
    wanted = choice if isinstance(choice, ScopeIn) else ScopeIn(kind=choice or "user")
    if wanted.conversation:
        field = "scope.conversation"
        conversation = conversation_to_write(principal, wanted.conversation, field=field)
    named = agent_named(
        principal, wanted.agent or agent, field="scope.agent" if wanted.agent else "agent"
    )
    return scope_for_writing(
        principal,
        kind=wanted.kind,
        agent=named,
        conversation=conversation,
    )


def agent_named(principal: Principal, name: str | None, *, field: str = "agent") -> Agent | None:
    """The agent with this name; without a name, the principal's own.

    Raises: OutOfReach.
    """
    with _reaching(field, NO_AGENT):
        return named_agent(principal, name)


def conversation_to_write(
    principal: Principal, name: str, *, field: str = "conversation"
) -> Conversation:
    """The conversation with this key or id; a key that is new makes one.

    Raises: InvalidInput; OutOfReach when the key is another agent's.
    """
    with _reaching(field, NOT_TO_WRITE):
        return conversation_named(principal, name) or conversation_for(principal, name)


def scopes_to_recall(
    principal: Principal, *, agent: str | None, conversation: str | None
) -> "list[UUID]":
    """The scopes that a question searches.

    Raises: OutOfReach.
    """
    named = agent_named(principal, agent) if agent else None
    talk = conversation_named(principal, conversation) if conversation else None
    if conversation and talk is None:
        raise OutOfReach(NO_CONVERSATION, field="conversation")
    return principal.recall_scopes(agent=named, conversation=talk)


@contextmanager
def _reaching(field: str, sentence: str) -> Iterator[None]:
    try:
        yield
    except ObjectDoesNotExist:
        raise OutOfReach(sentence, field=field) from None
