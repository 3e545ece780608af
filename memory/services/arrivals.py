"""Memories that come into a scope from elsewhere: moved, or out of an export."""

from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.utils import timezone

from memory.domain.conflicts import Claim, settle
from memory.domain.fields import Source
from memory.domain.wording import folded
from memory.models import Embedding, Fact
from memory.services.conflicts import (
    LATE,
    RETIRED,
    claims_like,
    may_coexist,
    retire,
    said_of,
    supersede,
)
from memory.services.disputes import FLAG, dispute, settle_disputes


def settle_there(facts: Iterable[Fact]) -> None:
    """What these do to the claims of their scope and those to them: the newest wins, as ever.

    Must run inside a transaction that holds the scope's lock of claims.
    """
    arrived = sorted(facts, key=lambda each: (each.happened_at, each.pk))
    together = {fact.pk for fact in arrived}
    for fact in arrived:
        is_claim = fact.entity and fact.key and fact.value
        if is_claim and fact.is_active and not fact.is_passage:
            _settle(fact, together)


def settle_new(scope_ids: Sequence[UUID], fact_ids: set[UUID]) -> None:
    """As `settle_there`, for many new ones in these scopes: only those with a rival are read."""
    claims = Fact.objects.active().memories().filter(scope__in=scope_ids)
    named = claims.exclude(entity="").exclude(key="").exclude(value="")
    columns = named.values_list("pk", "scope_id", "entity", "key")
    told = {pk: (scope, folded(of), folded(key)) for pk, scope, of, key in columns.iterator()}
    shared = Counter(told.values())
    rivals = [pk for pk, name in told.items() if pk in fact_ids and shared[name] > 1]
    settle_there(Fact.objects.filter(pk__in=rivals).defer("search"))


def _settle(arrived: Fact, together: set[UUID]) -> None:
    kept = {
        fact.pk: fact
        for fact in claims_like(arrived)
        if not (_is_disputed(arrived, fact) and fact.pk in together)
    }
    # One that came with it may have replaced it.
    fact = kept.pop(arrived.pk, None)
    if fact is None or not kept:
        return
    now = timezone.now()
    decided = settle(
        Claim(
            fact.value,
            said_of(fact, now).at,
            is_captured=fact.source == Source.CONVERSATION,
            may_coexist=may_coexist(fact.attributes),
        ),
        [said_of(each, now) for each in kept.values()],
        key=fact.key,
    )
    if decided.loses_to:
        _lose(fact, kept[decided.loses_to])
        return
    supersede([kept[pk] for pk in decided.supersedes], fact)
    dispute(fact, [kept[pk] for pk in decided.disputes])


def _is_disputed(one: Fact, other: Fact) -> bool:
    """Whether both came marked: which of them holds was for a person, and still is."""
    return one.pk != other.pk and all(FLAG in each.attributes for each in (one, other))


def _lose(fact: Fact, newer: Fact) -> None:
    retire(fact, newer, LATE)
    fact.save(update_fields=RETIRED)
    settle_disputes(fact)
    Embedding.objects.of_fact(fact.pk).update(is_searchable=False)
