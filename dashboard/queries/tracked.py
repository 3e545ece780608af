"""What a change did to each part of a memory, from and to, in people's words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.models import Scope

# Each part's label on a page, and the word for it inside a sentence.
PARTS = {
    "scope": ("Visible to", "readers"),
    "kind": ("Kind", "kind"),
    "category": ("Category", "category"),
    "tags": ("Tags", "tags"),
    "entity": ("About", "entity"),
    "key": ("Key", "key"),
    "value": ("Value", "value"),
    "why": ("Why it matters", "reason"),
    "importance": ("Importance", "importance"),
    "decay_class": ("Lifetime", "lifetime"),
    "shelf": ("Shelf", "shelf"),
    "pinned": ("Pinned", "pin"),
}
PLURAL = {"readers", "tags"}
NOTHING = "none"
NOT_SEEN = "somebody else"


@dataclass(frozen=True, slots=True)
class Detail:
    """One part of a memory as it was and as it became; `old` is empty where nobody may tell."""

    name: str
    label: str
    old: str
    new: str


def details_of(
    state: Any, before: Mapping[str, Any] | None, scopes: Mapping[UUID, Scope], *, is_moved: bool
) -> list[Detail]:
    """What became something else, but for wording and status, which are told in their own way."""
    details = []
    if is_moved:
        old = _readers(scopes.get(UUID(before["scope"]))) if before else ""
        details.append(Detail("scope", PARTS["scope"][0], old, _readers(scopes[state.scope_id])))
    for name, (label, _) in PARTS.items():
        if before and name != "scope" and before[name] != getattr(state, name):
            details.append(Detail(name, label, _said(before[name]), _said(getattr(state, name))))
    return details


def old_is_back(details: Sequence[Detail], *, is_reworded: bool) -> str:
    """What to say once a change is undone."""
    names = [*(["wording"] if is_reworded else []), *(PARTS[each.name][1] for each in details)]
    if not names:
        return "Nothing had changed."
    if len(details) == 1 and details[0].name == "scope" and not is_reworded:
        return f"It is visible to {details[0].old} again."
    if names == ["pin"]:
        return f"It is {'pinned' if details[0].old == 'yes' else 'unpinned'} again."
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    return f"The old {listed} {'are' if names[1:] or names[0] in PLURAL else 'is'} back."


def _readers(scope: Scope | None) -> str:
    return scope.label if scope else NOT_SEEN


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        value = ", ".join(value)
    return str(value) or NOTHING
