"""Filing anew what the rules kept, where the classifier is surer and nobody touched it since."""

from memory.domain.attributes import BELIEVED, CONTRADICTS
from memory.domain.capture import FactDraft, draft_of
from memory.domain.fields import ImportanceSource
from memory.domain.perceptor import Record
from memory.domain.text import content_hash
from memory.models import Fact, FactHistory, FactUsage, Principal, Turn
from memory.services.actors import CLASSIFIED, changes_by
from memory.services.disputes import FLAG
from memory.services.facts import withdraw_fact

_FILED = (
    "kind", "shelf", "importance", "decay_class", "valid_from", "freeze_until", "expires_at",
)  # fmt: skip


def refile(principal: Principal, turn: Turn, *, before: Record, after: Record) -> bool:
    """Give the fact that the turn gave the classifier's kind and importance; whether it did.

    Side effects: a row in the fact's history. Must run inside a transaction.
    """
    fact = _untouched(principal, turn, before)
    old, new = _draft(turn, before), _draft(turn, after)
    changed = [name for name in _FILED if getattr(old, name) != getattr(new, name)]
    if fact is None or not changed:
        return False
    if fact.category == old.category and old.category != new.category:
        changed.append("category")
    for name in changed:
        setattr(fact, name, getattr(new, name))
    fact.attributes = fact.attributes | {
        name: each for name, each in new.attributes.items() if old.attributes.get(name) != each
    }
    with changes_by(principal, CLASSIFIED):
        fact.save(update_fields=[*changed, "attributes"])
    return True


def withdraw(principal: Principal, turn: Turn, record: Record, reason: str) -> Fact | None:
    """Archive the fact that the turn gave from weak clues, and return it; None if it must stay.

    Must run inside a transaction.
    """
    fact = _untouched(principal, turn, record)
    if fact is None or fact.supersedes.exists() or _was_repeated(fact):
        return None
    return withdraw_fact(principal=principal, fact_id=fact.pk, reason=reason)


def _untouched(principal: Principal, turn: Turn, record: Record) -> Fact | None:
    """The active fact that this turn made of the record, still as it was made; locked."""
    rows = Fact.objects.visible_to(principal).active().filter(turn=turn)
    fact: Fact | None = (
        rows.filter(content_hash=content_hash(record.text)).locked().order_by("pk").first()
    )
    if fact is None or fact.pinned or fact.importance_source != ImportanceSource.PERCEPTOR:
        return None
    draft = _draft(turn, record).cleaned()
    is_as_made = all(getattr(fact, name) == getattr(draft, name) for name in _FILED)
    return fact if is_as_made and not _was_changed(fact, draft) else None


def _was_changed(fact: Fact, draft: FactDraft) -> bool:
    """Whether anything of it was changed since it was made, but for its marks of contradiction."""
    marks = (FLAG, CONTRADICTS, BELIEVED)
    attributes = {name: each for name, each in fact.attributes.items() if name not in marks}
    believed = fact.attributes.get(BELIEVED, fact.confidence)
    if attributes != draft.attributes or believed != draft.confidence:
        return True
    return len(FactHistory.objects.of(fact.pk)[:2]) > 1


def _was_repeated(fact: Fact) -> bool:
    return FactUsage.objects.filter(fact=fact, repeat_count__gt=0).exists()


def _draft(turn: Turn, record: Record) -> FactDraft:
    return draft_of(record, said_at=turn.observed_at)
