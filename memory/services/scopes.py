"""Which scope a write goes to."""

from typing import TypeVar

from django.core.exceptions import PermissionDenied

from memory.domain.errors import InvalidInput
from memory.domain.text import clean_text
from memory.models import Agent, Conversation, Principal, Scope
from memory.models.scopes import AGENT, GLOBAL, SESSION, USER

T = TypeVar("T")


def scope_for_writing(
    principal: Principal,
    *,
    kind: str = USER,
    agent: Agent | None = None,
    conversation: Conversation | None = None,
) -> Scope:
    """The scope of this kind inside the principal's ceiling, made on first use.

    Raises: InvalidInput for an unknown kind or a missing target; PermissionDenied for global.
    """
    if kind == GLOBAL:
        _require_global_writer(principal)
        return Scope.objects.for_everyone()
    if kind == USER:
        return Scope.objects.for_user(principal.user)
    if kind == AGENT:
        return _entered(
            principal, Scope.objects.for_agent(_required(agent or principal.agent, kind))
        )
    if kind == SESSION:
        return _entered(principal, Scope.objects.for_conversation(_required(conversation, kind)))
    raise InvalidInput(
        f"Unknown scope {kind!r}. Use one of: global, user, agent, session.", field="scope"
    )


def require_writable_scope(principal: Principal, scope: Scope) -> None:
    """Let only those change what everyone reads who may write it.

    Raises: PermissionDenied.
    """
    if scope.kind == GLOBAL:
        _require_global_writer(principal)


def named_agent(principal: Principal, name: str | None) -> Agent | None:
    """The principal's agent with this name.

    Raises: Agent.DoesNotExist when it is none of theirs.
    """
    if not name:
        return principal.agent
    own = Agent.objects.filter(owner=principal.user)
    if principal.agent:
        own = own.filter(pk=principal.agent.pk)
    return own.get(name=clean_text(name))


def _entered(principal: Principal, scope: Scope) -> Scope:
    if scope.pk not in principal.scopes():
        principal.ceiling.append(scope.pk)
    return scope


def _required(target: T | None, kind: str) -> T:
    if target is None:
        raise InvalidInput(f"The scope {kind!r} needs its {kind} named.", field="scope")
    return target


def _require_global_writer(principal: Principal) -> None:
    if not principal.may_write_global:
        raise PermissionDenied("Only staff, or a token that was granted it, may write to global.")
