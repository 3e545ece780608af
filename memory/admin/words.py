"""How the admin's columns say things."""

from memory.models import Scope
from memory.models.scopes import GLOBAL, SESSION, USER


def scope_words(scope: Scope) -> str:
    """The scope with its owner."""
    if scope.kind == GLOBAL:
        return "everybody"
    if scope.kind == USER:
        return str(scope.owner)
    inner = f"session {scope.conversation}" if scope.kind == SESSION else f"agent {scope.agent}"
    return f"{inner} of {scope.owner}"


def shortened(text: str, limit: int = 120) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
