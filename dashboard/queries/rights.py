"""What a page may offer to whom; the services refuse the rest all the same."""

from memory.models import Principal, Scope

ONLY_STAFF = "Only staff may change what everyone reads."


def may_change(principal: Principal, scope: Scope) -> bool:
    """Whether this principal may change what lies in this scope."""
    return principal.may_write_global or scope.kind != Scope.Kind.GLOBAL
