"""From a stored memory to what its lifeline needs."""

from datetime import datetime

from dashboard.lifeline import Life
from memory.domain.fields import DecayClass, Status
from memory.models import Fact, FactUsage

ENDINGS = {Status.ARCHIVED.value: "archived", Status.SUPERSEDED.value: "replaced"}


def life_of(fact: Fact, *, gone_at: datetime | None = None) -> Life:
    """A fact's life; its usage is read with it, so lists ask for `with_parts`."""
    usage: FactUsage | None = getattr(fact, "usage", None)
    return Life(
        decay_class=fact.decay_class,
        born_at=fact.recorded_at,
        used_at=_uses(usage),
        recalls=usage.recall_count if usage else 0,
        fixed=fixed_reason(fact),
        kept_until=fact.freeze_until,
        ending=ENDINGS.get(fact.status, ""),
        ended_at=gone_at or fact.superseded_at,
    )


def fixed_reason(fact: Fact) -> str:
    """Why a fact never fades, in a word; empty if it does."""
    if fact.critical:
        return "critical"
    if fact.pinned:
        return "pinned"
    return "permanent" if fact.decay_class == DecayClass.PERMANENT else ""


def _uses(usage: FactUsage | None) -> tuple[datetime, ...]:
    if usage is None:
        return ()
    known = (usage.last_recalled_at, usage.last_repeated_at)
    return tuple(sorted(moment for moment in known if moment))
