"""How the admin's columns say things."""

from memory.models import Scope
from memory.models.scopes import GLOBAL, SESSION, USER


def scope_words(scope: Scope) -> str:
    """The scope with its owner."""
    if scope.kind == GLOBAL:
        return "everyone"
    if scope.kind == USER:
        return str(scope.owner)
    if scope.kind == SESSION:
        return f"conversation {scope.conversation} of {scope.owner}"
    return f"agent {scope.agent} of {scope.owner}"


def shortened(text: str, limit: int = 120) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
