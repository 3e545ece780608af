"""One conversation, turn by turn, with what each gave."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Min, Q

from dashboard.queries.conversations import facts_from
from memory.models import Conversation, Fact, Principal, Scope, Turn
from memory.models.turns import TurnQuerySet

NOTHING_GIVEN = Q(captured=[])
WAITING = Q(processed_at=None)
OUTCOMES = {
    "gave": ~NOTHING_GIVEN,
    "nothing": NOTHING_GIVEN & ~WAITING,
    "waiting": NOTHING_GIVEN & WAITING,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """A conversation in numbers."""

    turns: int
    gave: int
    nothing: int
    waiting: int
    facts: int
    first_at: datetime | None
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Kept:
    """One memory that a turn gave; None where it was deleted since.

    `replaced` counts the memories that made way for it, `note` says what was odd about it.
    """

    fact: Fact | None
    is_repeat: bool
    replaced: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """One turn with the memories that it gave."""

    turn: Turn
    kept: tuple[Kept, ...]


def turns_of(principal: Principal, conversation: Conversation) -> TurnQuerySet:
    """A conversation's turns as they were said."""
    visible = Turn.objects.visible_to(principal).filter(conversation=conversation)
    found: TurnQuerySet = visible.for_results().oldest_first()
    return found


def with_outcome(turns: TurnQuerySet, outcome: str) -> TurnQuerySet:
    """Those that gave something, gave nothing, or wait to be read; all for anything else."""
    return turns.filter(OUTCOMES[outcome]) if outcome in OUTCOMES else turns


def place_of(turns: TurnQuerySet, turn_id: UUID) -> int | None:
    """How many of the turns stand before this one; None where it is not among them."""
    turn = turns.filter(pk=turn_id).first()
    if turn is None:
        return None
    return turns.count() - turns.after(turn.observed_at, turn.pk).count() - 1


def totals_of(principal: Principal, conversation: Conversation) -> Totals:
    """What the turns of a conversation gave, in numbers."""
    turns = Turn.objects.visible_to(principal).filter(conversation=conversation)
    counted = turns.aggregate(
        turns=Count("pk"),
        first_at=Min("observed_at"),
        last_at=Max("observed_at"),
        **{name: Count("pk", filter=condition) for name, condition in OUTCOMES.items()},
    )
    facts = facts_from(principal).filter(turn__conversation=conversation).count()
    return Totals(**counted, facts=facts)


def scopes_of(principal: Principal, conversation: Conversation) -> list[Scope]:
    """Who may read the turns of a conversation; one scope, as a rule."""
    turns = Turn.objects.visible_to(principal).filter(conversation=conversation)
    used = turns.order_by().values("scope").distinct()
    return list(Scope.objects.filter(pk__in=used).select_related("agent").order_by("pk"))


def heard(principal: Principal, turns: Sequence[Turn]) -> list[Heard]:
    """Each turn with what it gave, in one query for all of them."""
    named = {UUID(each["fact"]) for turn in turns for each in turn.captured}
    facts = Fact.objects.visible_to(principal).filter(pk__in=named).for_results()
    found = {fact.pk: fact for fact in facts}
    return [Heard(turn, tuple(_kept(turn.captured, found))) for turn in turns]


def _kept(captured: Iterable[dict[str, Any]], found: dict[UUID, Fact]) -> Iterable[Kept]:
    for each in captured:
        yield Kept(
            found.get(UUID(str(each["fact"]))),
            bool(each["duplicate"]),
            replaced=len(each.get("supersedes", ())),
            note=str(each.get("note", "")),
        )
