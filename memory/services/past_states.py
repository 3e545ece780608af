"""The earlier states of a memory, rid of what has become a secret."""

from collections.abc import Mapping, Sequence
from typing import Any

from memory.domain.past_secrets import PAST, masked_past
from memory.domain.redaction.together import Secret
from memory.models import Fact, FactHistory, across_owners


def mask_past(fact: Fact, secrets: Sequence[Secret]) -> None:
    """Mask these secrets, and all that is known for one today, in every state a memory was in.

    Must run inside a transaction that holds the row of the memory.
    """
    if not secrets:
        return
    now = {name: getattr(fact, name) for name in PAST}
    # A state may lie in a scope that whoever changes the memory does not see: it was moved.
    with across_owners():
        states = FactHistory.objects.of(fact.pk).only(*PAST)
        changed = [state for state in states if _mask(state, secrets, now)]
        FactHistory.objects.bulk_update(changed, PAST, batch_size=100)


def _mask(state: FactHistory, secrets: Sequence[Secret], now: Mapping[str, Any]) -> bool:
    said = {name: getattr(state, name) for name in PAST}
    safe = _fitting(masked_past(said, secrets, now=now))
    for name in PAST:
        setattr(state, name, safe[name])
    return safe != said


def _fitting(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A mask may be longer than what it hides, and names have a limit."""
    limits = {name: FactHistory._meta.get_field(name).max_length for name in PAST}
    return {
        name: value[: limits[name]] if isinstance(value, str) else value
        for name, value in fields.items()
    }
