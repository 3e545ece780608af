"""Changing many memories from the list: what is done, how it is said, and its Undo."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from dashboard.numbers import plural
from memory.domain.errors import InvalidInput
from memory.domain.fields import Status
from memory.models import Fact, Principal, Scope
from memory.services import bulk
from memory.services.bulk import Outcome

# One memory as a session can hold it: all that a change from the list can touch.
State = dict[str, Any]
Change = Callable[..., Outcome]

VERBS = {
    "forget": "Forgot",
    "restore": "Restored",
    "category": "Recategorized",
    "tags": "Retagged",
    "pin": "Pinned",
    "unpin": "Unpinned",
    "scope": "Moved",
}
CHANGED_SINCE = "changed again since"
SCOPE_GONE = "where it was is not there any more"


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a change, in words, and each changed memory as it was and as it is now."""

    sentence: str
    is_whole: bool
    changed: list[tuple[State, State]]


def change_many(
    *, principal: Principal, fact_ids: Sequence[UUID], action: str, value: Any = None
) -> Done:
    """Do one thing to all of these memories that the principal can see.

    Shape: `value` is a category, a scope, or the tags to add and to remove.
    Raises: InvalidInput.
    """
    before = _states(principal, fact_ids)
    outcome = _change(action, value)(hands=lambda _ids: principal, fact_ids=fact_ids)
    after = _states(principal, fact_ids)
    changed = [(was, after[pk]) for pk, was in before.items() if pk in after and was != after[pk]]
    sentence = _sentence(VERBS[action], outcome)
    if action == "scope" and outcome.done:
        sentence += f" Visible to now: {value.label}."
    return Done(sentence, not outcome.refused, changed)


def undo_many(*, principal: Principal, changed: Sequence[tuple[State, State]]) -> str:
    """Put memories back as they were, but for those that were changed again since."""
    now = _states(principal, [UUID(was["id"]) for was, _ in changed])
    same = [(was, became) for was, became in changed if now.get(was["id"]) == became]
    whole = Outcome()
    if len(same) < len(changed):
        whole.refused[CHANGED_SINCE] = len(changed) - len(same)
    for (was, became), ids in _alike(same):
        outcome = _put_back(principal, was, became, ids)
        whole.add(outcome)
    return _sentence("Put back", whole)


def _put_back(principal: Principal, was: State, became: State, fact_ids: Sequence[UUID]) -> Outcome:
    try:
        action, value = _reversal(was, became)
        return _change(action, value)(hands=lambda _ids: principal, fact_ids=fact_ids)
    except Scope.DoesNotExist:
        return Outcome(refused=Counter({SCOPE_GONE: len(fact_ids)}))
    except InvalidInput as refusal:
        # A label that is known no more.
        return Outcome(refused=Counter({str(refusal): len(fact_ids)}))


def _change(action: str, value: Any) -> Change:
    changes: dict[str, Change] = {
        "forget": partial(bulk.forget_facts, reason=""),
        "restore": bulk.restore_facts,
        "pin": partial(bulk.pin_facts, pinned=True),
        "unpin": partial(bulk.pin_facts, pinned=False),
        "category": partial(bulk.recategorize_facts, category=value),
        "scope": partial(bulk.move_facts, scope=value),
    }
    if action == "tags":
        return partial(bulk.retag_facts, add=value[0], remove=value[1])
    return changes[action]


def _reversal(was: State, became: State) -> tuple[str, Any]:
    if was["is_active"] != became["is_active"]:
        return ("restore" if was["is_active"] else "forget"), None
    if was["pinned"] != became["pinned"]:
        return ("pin" if was["pinned"] else "unpin"), None
    if was["category"] != became["category"]:
        return "category", was["category"]
    if was["scope"] != became["scope"]:
        return "scope", Scope.objects.get(pk=was["scope"])
    old, new = was["tags"], became["tags"]
    return "tags", ([tag for tag in old if tag not in new], [tag for tag in new if tag not in old])


def _alike(
    changed: Sequence[tuple[State, State]],
) -> list[tuple[tuple[State, State], list[UUID]]]:
    """The changes grouped by what they changed from and to, so that each group is one step."""
    groups: dict[str, list[tuple[State, State]]] = defaultdict(list)
    for was, became in changed:
        groups[repr([was[part] for part in sorted(was) if part != "id"])].append((was, became))
    return [(group[0], [UUID(was["id"]) for was, _ in group]) for group in groups.values()]


def _states(principal: Principal, fact_ids: Sequence[UUID]) -> dict[str, State]:
    facts = Fact.objects.visible_to(principal).memories().in_bulk(list(fact_ids))
    return {
        str(fact.pk): {
            "id": str(fact.pk),
            "is_active": fact.status == Status.ACTIVE,
            "category": fact.category,
            "tags": fact.tags,
            "pinned": fact.pinned,
            "scope": str(fact.scope_id),
        }
        for fact in facts.values()
    }


def _sentence(verb: str, outcome: Outcome) -> str:
    said = [f"{verb} {plural(outcome.done, 'memory,memories')}."] if outcome.done else []
    if outcome.unchanged:
        said.append(f"{plural(outcome.unchanged, 'was so already,were so already')}.")
    for reason, number in outcome.refused.items():
        said.append(f"{plural(number, 'stays as it was,stay as they were')}: {reason.rstrip('.')}.")
    # Where nothing changed, that comes first.
    return " ".join(said if outcome.done else ["Nothing changed.", *said])
