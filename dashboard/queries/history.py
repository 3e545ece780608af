"""Who did what to which memory, told from the states that the database kept."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import JSONObject
from django.urls import reverse

from dashboard.queries.rights import may_change
from dashboard.queries.tracked import Detail, details_of, old_is_back
from memory.domain.fields import Status
from memory.domain.redaction import MASK
from memory.models import Fact, FactHistory, Principal, Scope
from memory.models.history import TRACKED
from memory.services.actors import CLASSIFIER, WITHDREW, is_by_classifier

SYSTEM = "Longhand"
CHANGED = "changed"
IN_USE = "It is in use again."
UNDONE = {
    "forgot": IN_USE,
    "withdrew": IN_USE,
    "replaced": IN_USE,
    "restored": "It is forgotten again.",
}


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
    details: list[Detail]
    reason: str
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
        return old_is_back(self.details, is_reworded=bool(self.pieces))


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
    changes = _told(principal, states.latest_first()[:1], fact)
    return changes[0] if changes else None


def changes_of(principal: Principal, fact: Fact) -> list[Change]:
    """A memory's past, the latest change first."""
    states = _with_before(FactHistory.objects.visible_to(principal).of(fact.pk))
    return _told(principal, states.latest_first(), fact)


def recent_changes(principal: Principal, limit: int) -> list[Change]:
    """The latest changes of memories the principal may read; passages are no memories."""
    states = FactHistory.objects.visible_to(principal).filter(document=None)
    latest = _with_before(states).latest_first()
    rows = latest.select_related("pgh_obj__scope", "pgh_obj__usage", "pgh_context")[:limit]
    return _told(principal, rows)


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
    packed = JSONObject(**{name: name for name in TRACKED})
    return states.annotate(before=Subquery(earlier.values(packed=packed)[:1]), is_old=Exists(later))


def _told(principal: Principal, states: Iterable[Any], fact: Fact | None = None) -> list[Change]:
    rows = list(states)
    scopes = _scopes_of_moves(rows)
    return [_change(principal, state, fact or state.pgh_obj, scopes) for state in rows]


def _scopes_of_moves(states: Iterable[Any]) -> dict[UUID, Scope]:
    """The scopes that memories were moved from and to, in one query if any was."""
    moves = [state for state in states if _was_moved(state)]
    ids = {UUID(state.before["scope"]) for state in moves if state.before}
    ids |= {state.scope_id for state in moves}
    return Scope.objects.select_related("agent").in_bulk(ids) if ids else {}


def _was_moved(state: Any) -> bool:
    if state.before is None:
        # What it was before is in a scope that the reader does not see.
        return bool(state.pgh_label == CHANGED)
    return bool(state.before["scope"] != str(state.scope_id))


def _change(principal: Principal, state: Any, fact: Fact, scopes: dict[UUID, Scope]) -> Change:
    before: dict[str, Any] | None = state.before
    details = details_of(state, before, scopes, is_moved=_was_moved(state))
    is_reworded = before is not None and before["text"] != state.text
    changed = {each.name for each in details} | ({"text"} if is_reworded else set())
    has_other_status = before is not None and before["status"] != state.status
    is_first = before is None and not _was_moved(state)
    is_known = is_first or is_reworded or has_other_status or (before is not None and bool(details))
    origin = scopes.get(UUID(before["scope"])) if before else None
    writable = may_change(principal, fact.scope) and (not origin or may_change(principal, origin))
    return Change(
        fact=fact,
        state=state.pk,
        actor=_actor(principal, state),
        verb=_verb(state, changed, is_first=is_first, has_other_status=has_other_status),
        at=state.pgh_created_at,
        pieces=diff(before["text"], state.text) if before and is_reworded else [],
        details=details,
        is_first=is_first,
        reason=str(_noted(state).get("reason", "")),
        can_undo=writable and not state.is_old and is_known,
    )


def _verb(state: Any, changed: set[str], *, is_first: bool, has_other_status: bool) -> str:
    if is_first:
        return "kept"
    if has_other_status:
        return _verb_of_status(state)
    if is_by_classifier(_noted(state)):
        return "refiled"
    if "scope" in changed or _noted(state).get("action") == "moved":
        return "moved"
    if not changed and MASK in f"{state.text} {state.why} {state.value}":
        # All that had changed is masked in the state before as well.
        return "masked a secret in"
    if changed == {"tags"}:
        return "retagged"
    if changed == {"pinned"}:
        return "pinned" if state.pinned else "unpinned"
    return "corrected"


def _verb_of_status(state: Any) -> str:
    if _noted(state).get("action") == WITHDREW:
        return "withdrew"
    ends = {Status.ARCHIVED.value: "forgot", Status.SUPERSEDED.value: "replaced"}
    return ends.get(state.status, "restored")


def _noted(state: Any) -> dict[str, Any]:
    return state.pgh_context.metadata if state.pgh_context else {}


def _actor(principal: Principal, state: Any) -> str:
    noted = _noted(state)
    if is_by_classifier(noted):
        return CLASSIFIER
    if noted.get("user") == str(principal.user.pk) and noted.get("actor") == principal.user.email:
        return "You"
    return str(noted.get("actor") or SYSTEM)


def forgotten_at(principal: Principal, fact_id: UUID) -> datetime | None:
    """When a memory left use, from its history."""
    states = FactHistory.objects.visible_to(principal).of(fact_id)
    gone = states.exclude(status=Status.ACTIVE).last()
    return gone.pgh_created_at if gone else None
