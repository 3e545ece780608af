"""The scope that a command names: for whom files are kept."""

from memory.domain.errors import InvalidInput
from memory.models import Agent, Principal, Scope
from memory.models.scopes import AGENT, GLOBAL, SESSION, USER
from memory.services.scopes import named_agent, scope_for_writing

FORMS = "Use user, agent:NAME or global."


def scope_named(principal: Principal, named: str) -> Scope:
    """The principal's scope of this name.

    Raises: InvalidInput for what is none, and for a conversation; PermissionDenied for global.
    """
    kind, _, name = named.partition(":")
    if kind == SESSION:
        raise InvalidInput(f"A conversation takes no files here. {FORMS}")
    if kind not in {USER, AGENT, GLOBAL} or (name and kind != AGENT):
        raise InvalidInput(f"Unknown scope {named!r}. {FORMS}")
    if kind == AGENT and not name:
        raise InvalidInput(f"The agent is not named. {FORMS}")
    try:
        return scope_for_writing(principal, kind=kind, agent=named_agent(principal, name))
    except Agent.DoesNotExist:
        email = principal.user.email
        raise InvalidInput(
            f"{email} has no agent {name}. Make it with manage.py create_token --user {email} "
            f"--agent {name}"
        ) from None
