"""Who changed a fact, noted beside each row of its history."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import pghistory

from memory.models import Principal

# What the classifier does of itself, in the name of whose memory it is.
CLASSIFIED, WITHDREW = "classified", "withdrew"
CLASSIFIER = "The classifier"


def is_by_classifier(noted: Mapping[str, Any]) -> bool:
    """Whether nobody made the change beside which this is noted: the classifier did."""
    return noted.get("action") in {CLASSIFIED, WITHDREW}


def changes_by(
    principal: Principal, action: str, *, reason: str = ""
) -> AbstractContextManager[object]:
    """Note the principal, what they do and why beside every history row written inside.

    The reason outlives the memory: it must say nothing of what that says.
    """
    actor = principal.agent.name if principal.agent else principal.user.email
    noted = {"user": str(principal.user.pk), "actor": actor, "action": action}
    return pghistory.context(**noted, **({"reason": reason} if reason else {}))
