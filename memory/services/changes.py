"""What may be changed of a fact in place, and how it is stored then."""

from collections.abc import Mapping, Set
from typing import Any, NamedTuple

from memory.domain.attributes import merged
from memory.domain.capture import WRITTEN, FactDraft, require_names
from memory.domain.errors import InvalidInput
from memory.domain.moments import require_order
from memory.domain.past_secrets import hidden_by_hand, masked_beside
from memory.domain.record_secrets import masked_fact, secrets_aside
from memory.domain.redaction.together import Secret
from memory.domain.text import clean_tags, clean_text
from memory.models import Fact
from memory.services.categories import require_category

UNCHANGED = "unchanged"
CLAIMED = frozenset({"entity", "key", "value"})
TIME = frozenset({"valid_from", "valid_until"})
READ_TOGETHER = (*WRITTEN, "tags", "attributes")
EDITABLE = frozenset(
    {
        "text", "why", "kind", "category", "shelf", "entity", "key", "value", "tags", "importance",
        "decay_class", "expires_at", "activate_at", "source_date", "valid_from", "valid_until",
        "pinned", "critical", "confidence", "attributes", "importance_source",
    }
)  # fmt: skip


def draft_with(fact: Fact, changes: Mapping[str, object]) -> FactDraft:
    """The draft that a fact would be with these changes, as they were given."""
    told = _told(fact, changes)
    # Null takes an attribute away.
    left = {name: each for name, each in told["attributes"].items() if each is not None}
    return FactDraft(**told | {"tags": tuple(told["tags"]), "attributes": left})


class CheckedChanges(NamedTuple):
    """The columns of a fact as they become, and the secrets that are masked in them."""

    columns: dict[str, object]
    secrets: tuple[Secret, ...]


def checked_changes(fact: Fact, changes: Mapping[str, object]) -> CheckedChanges:
    """The changes of a fact cleaned, masked and bounded, with what they make secret in it.

    Raises: InvalidInput naming what cannot be changed, or not to this.
    """
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise InvalidInput(f"{unknown[0]} cannot be changed.", field=unknown[0])
    if "category" in changes:
        require_category(str(changes["category"]))
    drafted = changes.keys() & FactDraft.__dataclass_fields__.keys()
    given = {name: changes[name] for name in drafted}
    if "attributes" in given:
        given["attributes"] = merged(fact.attributes, changes["attributes"])  # type: ignore[arg-type]  # checked below
    # Read with what stays, for each may make a secret of another.
    told = _told(fact, _clean(given))
    safe, secrets = masked_fact(told)
    aside: Mapping[str, Any] = told["attributes"] if "attributes" in given else {}
    hidden = hidden_by_hand(_told(fact, {}), told)
    safe = masked_beside(safe, hidden)
    secrets += (*secrets_aside(aside), *hidden)
    given |= {name: safe[name] for name in drafted if name in safe}
    # Cleaned and bounded as at first; the text stands in where it is not changed.
    draft = FactDraft(**{"text": UNCHANGED, **given}).cleaned()  # type: ignore[arg-type]  # checked there
    checked = dict(changes) | {name: getattr(draft, name) for name in drafted}
    checked |= {"tags": list(draft.tags)} if "tags" in drafted else {}
    if checked.keys() & TIME:
        ends: Mapping[str, Any] = {name: checked.get(name, getattr(fact, name)) for name in TIME}
        require_order(ends["valid_from"], ends["valid_until"])
    return CheckedChanges(checked | _masked_beside(fact, drafted, safe), secrets)


def makes_a_secret(fact: Fact, changes: Mapping[str, object]) -> bool:
    """Whether these changes would make a secret of what other fields of the fact say."""
    before, after = masked_fact(_told(fact, {})), masked_fact(_told(fact, changes))
    return len(after.secrets) > len(before.secrets)


def _masked_beside(fact: Fact, drafted: Set[str], safe: Mapping[str, Any]) -> dict[str, object]:
    """The fields that nobody changed and that are masked because of what others hold now."""
    names = [name for name in READ_TOGETHER if name not in drafted]
    beside = {name: safe[name] for name in names if safe[name] != getattr(fact, name)}
    require_names({name: beside[name] for name in ("entity", "key") if name in beside})
    if "tags" in beside:
        clean_tags(beside["tags"])
    return beside


def _clean(given: Mapping[str, Any]) -> dict[str, Any]:
    cleaned: dict[str, Any] = {name: clean_text(given[name]) for name in WRITTEN if name in given}
    if "tags" in given:
        cleaned["tags"] = [clean_text(tag) for tag in given["tags"]]
    return {**given, **cleaned}


def _told(fact: Fact, changes: Mapping[str, object]) -> dict[str, Any]:
    return {name: changes.get(name, getattr(fact, name)) for name in READ_TOGETHER}
