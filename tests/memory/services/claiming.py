"""Statements of where somebody lives, and what is left of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from memory.domain.capture import FactDraft
from memory.domain.conflicts import Correction
from memory.domain.fields import Source
from memory.models import Fact, Principal, Scope, Turn, User
from memory.services.facts import Remembered, keep_fact
from tests.fixtures import remember

MAY = datetime(2026, 5, 1, 12, tzinfo=UTC)


def live(user: User, city: str, *, days: int = 0, **more: Any) -> Fact:
    """A statement of where Tamsin lives, so many days after the first of May."""
    told: dict[str, Any] = {
        "entity": "Tamsin",
        "key": "home",
        "value": city,
        "source_date": MAY + timedelta(days=days),
    }
    return remember(user, f"Tamsin lives in {city}", **told | more)


def fresh(fact: Fact) -> Fact:
    """The fact as it is stored now."""
    return Fact.objects.get(pk=fact.pk)


def active() -> list[str]:
    """What is said by all that is in use."""
    return sorted(Fact.objects.active().values_list("text", flat=True))


def capture(
    principal: Principal,
    text: str,
    *,
    correction: Correction | None = None,
    turn: Turn | None = None,
    **more: Any,
) -> Remembered:
    """Keep a statement as if a turn had given it."""
    scope = Scope.objects.for_user(principal.user)
    draft = FactDraft(text=text, source=Source.CONVERSATION, **more)
    return keep_fact(
        principal=principal, scope=scope, draft=draft, turn=turn, supersedes=correction
    )
