"""Who changed a fact, noted beside each row of its history."""

from contextlib import AbstractContextManager

import pghistory

from memory.models import Principal


def changes_by(principal: Principal, action: str) -> AbstractContextManager[object]:
    """Note the principal and what they do beside every history row written inside."""
    actor = principal.agent.name if principal.agent else principal.user.email
    return pghistory.context(user=str(principal.user.pk), actor=actor, action=action)
