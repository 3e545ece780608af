"""Who did what to which memory, told from the states that the database kept."""

import difflib
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import JSONObject
from django.urls import reverse

from dashboard.queries.rights import may_change
from memory.domain.fields import Status
from memory.models import Fact, FactHistory, Principal

FIELDS = ("text", "kind", "category", "status", "entity", "key", "value")
SYSTEM = "Longhand"
IN_USE = "It is in use again."
UNDONE = {"forgot": IN_USE, "replaced": IN_USE, "restored": "It is forgotten again."}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: the same, removed or added."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a memory, in words."""

    fact: Fact
    state: int
    actor: str
    verb: str
    at: datetime
    pieces: list[Piece]
    fields: list[str]
    is_first: bool
    can_undo: bool

    @property
    def undo_url(self) -> str:
        """Where a form undoes this change, as long as none followed it."""
        return undo_url("fact-forget" if self.is_first else "fact-undo", self.fact.pk, self.state)

    @property
    def put_back(self) -> str:
        """What is so again once this change is undone."""
        if self.verb in UNDONE:
            return UNDONE[self.verb]
        names = [*(["wording"] if self.pieces else []), *self.fields]
        if not names:
            return "Nothing had changed."
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        return f"The old {listed} {'are' if names[1:] else 'is'} back."


def undo_url(name: str, fact_id: UUID, state: int | None) -> str:
    """The address that undoes one state of a memory and no later one."""
    address = reverse(name, args=[fact_id])
    return address if state is None else f"{address}?state={state}"


def last_state(principal: Principal, fact_id: UUID) -> int | None:
    """The id of a memory's latest state; None when none was noted."""
    state = FactHistory.objects.visible_to(principal).of(fact_id).last()
    return state.pk if state else None


def last_change(principal: Principal, fact: Fact) -> Change | None:
    """A memory's latest change; None when none was noted."""
    states = _with_before(FactHistory.objects.visible_to(principal).of(fact.pk))
    state = states.latest_first().first()
    return _change(principal, state, fact) if state else None


def changes_of(principal: Principal, fact: Fact) -> list[Change]:
    """A memory's past, the latest change first."""
    states = _with_before(FactHistory.objects.visible_to(principal).of(fact.pk))
    return [_change(principal, state, fact) for state in states.latest_first()]


def recent_changes(principal: Principal, limit: int) -> list[Change]:
    """The latest changes of memories the principal may read; passages are no memories."""
    states = FactHistory.objects.visible_to(principal).filter(pgh_obj__document=None)
    latest = _with_before(states).latest_first()
    rows = latest.select_related("pgh_obj__scope", "pgh_obj__usage", "pgh_context")[:limit]
    return [_change(principal, state, state.pgh_obj) for state in rows]


def diff(before: str, after: str) -> list[Piece]:
    """What changed between two wordings, by words."""
    old, new = before.split(), after.split()
    pieces: list[Piece] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", " ".join(old[i1:i2])))
            continue
        if i2 > i1:
            pieces.append(Piece("removed", " ".join(old[i1:i2])))
        if j2 > j1:
            pieces.append(Piece("added", " ".join(new[j1:j2])))
    return pieces


def _with_before(states: Any) -> Any:
    rows = FactHistory.objects.filter(pgh_obj=OuterRef("pgh_obj"))
    earlier = rows.filter(pgh_id__lt=OuterRef("pgh_id")).order_by("-pgh_id")
    later = rows.filter(pgh_id__gt=OuterRef("pgh_id"))
    packed = JSONObject(**{name: name for name in FIELDS})
    return states.annotate(before=Subquery(earlier.values(packed=packed)[:1]), is_old=Exists(later))


def _change(principal: Principal, state: Any, fact: Fact) -> Change:
    before: dict[str, str] | None = state.before
    changed = [name for name in FIELDS if before and before[name] != getattr(state, name)]
    reworded = before is not None and "text" in changed
    writable = may_change(principal, fact.scope)
    return Change(
        fact=fact,
        state=state.pk,
        actor=_actor(principal, state),
        verb=_verb(state, changed, is_first=before is None),
        at=state.pgh_created_at,
        pieces=diff(before["text"], state.text) if before and reworded else [],
        fields=[name for name in changed if name not in {"text", "status"}],
        is_first=before is None,
        can_undo=writable and not state.is_old and (before is None or bool(changed)),
    )


def _verb(state: Any, changed: list[str], *, is_first: bool) -> str:
    if is_first:
        return "kept"
    if "status" in changed:
        ends = {Status.ARCHIVED.value: "forgot", Status.SUPERSEDED.value: "replaced"}
        return ends.get(state.status, "restored")
    return "corrected" if changed else "touched"


def _actor(principal: Principal, state: Any) -> str:
    noted = state.pgh_context.metadata if state.pgh_context else {}
    if noted.get("user") == str(principal.user.pk) and noted.get("actor") == principal.user.email:
        return "You"
    return str(noted.get("actor") or SYSTEM)


def forgotten_at(principal: Principal, fact_id: UUID) -> datetime | None:
    """When a memory left use, from its history."""
    states = FactHistory.objects.visible_to(principal).of(fact_id)
    gone = states.exclude(status=Status.ACTIVE).last()
    return gone.pgh_created_at if gone else None
