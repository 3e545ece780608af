"""What the pages about memories read."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, Func, OuterRef, Q
from django.db.models.functions import Coalesce

from memory.domain.attributes import CONTRADICTS, words_of
from memory.domain.fields import Kind
from memory.models import Agent, Fact, Principal, Scope
from memory.models.facts import FactQuerySet
from memory.services.counts import Counts, tags_counted

MANY = 50
# Beyond so many rows one sort of all is cheaper than the first rows of each scope.
DEEPEST = 1_000
KIND_ORDER = (
    Kind.FACT,
    Kind.EVENT,
    Kind.ENTITY,
    Kind.PLAN,
    Kind.IMPRESSION,
    Kind.RULE,
    Kind.REFLEX,
)
SORTS = {"newest": "Newest first", "used": "Last used first", "important": "Most important first"}


@dataclass(frozen=True, slots=True)
class Facet:
    """One kind and how many of the listed memories have it."""

    kind: str
    number: int


def memories_of(principal: Principal) -> FactQuerySet:
    """All memories that the principal may read, with what a row shows."""
    found: FactQuerySet = Fact.objects.visible_to(principal).memories().with_parts()
    return found


def matching(facts: FactQuerySet, words: str) -> FactQuerySet:
    """Those whose text, name or value holds these characters."""
    return facts.filter(
        Q(text__icontains=words) | Q(entity__icontains=words) | Q(value__icontains=words)
    )


def tagged(facts: FactQuerySet, tag: str) -> FactQuerySet:
    """Those with this tag."""
    return facts.filter(tags__contains=[tag])


def with_status(facts: FactQuerySet, status: str) -> FactQuerySet:
    """Those with this status; all for "any"."""
    return facts if status == "any" else facts.filter(status=status)


def in_scope(facts: FactQuerySet, scope: str) -> FactQuerySet:
    """Those of one kind of scope, or of one agent given by its id."""
    if scope in Scope.Kind.values:
        return facts.filter(scope__kind=scope)
    return facts.filter(scope__agent_id=scope)


def among(facts: FactQuerySet, ids: Sequence[UUID]) -> FactQuerySet:
    """Those with one of these ids."""
    return facts.filter(pk__in=ids)


def ordered(facts: FactQuerySet, sort: str) -> FactQuerySet:
    """In one of the orders of SORTS; ties by id, so that pages never overlap."""
    if sort == "used":
        used = Coalesce("usage__last_recalled_at", "usage__last_repeated_at")
        return facts.order_by(used.desc(nulls_last=True), "-pk")
    if sort == "important":
        return facts.most_important_first()
    return facts.newest_first()


def facets(facts: FactQuerySet) -> list[Facet]:
    """How many there are of each kind; every known kind is listed, those without any at the end."""
    return _facets(dict(facts.order_by().values_list("kind").annotate(Count("pk"))))


def facets_counted(counts: Counts) -> list[Facet]:
    """The same of all active memories, from their counts."""
    return _facets({kind: tally.number for kind, tally in counts.kinds.items()})


def _facets(numbers: dict[str, int]) -> list[Facet]:
    known = [Facet(kind, numbers.pop(kind, 0)) for kind in KIND_ORDER]
    every = known + [Facet(kind, number) for kind, number in sorted(numbers.items())]
    return sorted(every, key=lambda facet: facet.number == 0)


def tags_of(principal: Principal, counts: Counts) -> list[str]:
    """The tags in use, the most used first."""
    if counts.as_of:
        return list(tags_counted(principal))[:MANY]
    facts = Fact.objects.visible_to(principal).memories().active()
    each = facts.annotate(tag=Func(F("tags"), function="unnest")).values("tag")
    rows = each.annotate(number=Count("pk")).order_by("-number", "tag")
    return [row["tag"] for row in rows[:MANY]]


class NewestFirst:
    """Memories in use, newest first, so that the first pages cost the same however many there are.

    An index holds that order for each scope alone, so each scope gives its own first rows.
    """

    ordered = True

    def __init__(self, facts: FactQuerySet, principal: Principal) -> None:
        self._facts = facts.newest_first()
        self._scopes = principal.scopes()

    def __len__(self) -> int:
        return self.count()

    def count(self) -> int:
        """How many there are."""
        return self._facts.count()

    def __getitem__(self, place: slice) -> list[Fact]:
        if not place.stop:
            return []
        if place.stop > DEEPEST:
            return list(self._facts[place])
        own = self._facts.filter(scope=OuterRef("pk")).values("pk")[: place.stop]
        scopes = Scope.objects.filter(pk__in=self._scopes).annotate(first=ArraySubquery(own))
        found = chain.from_iterable(scopes.values_list("first", flat=True))
        rows = self._facts.filter(pk__in=list(found)).defer("search", "turn__search")
        return list(rows[place])


def agents_of(principal: Principal) -> list[Agent]:
    """The agents whose memories the principal may read, by name."""
    own = Agent.objects.filter(owner=principal.user).order_by("name")
    return list(own.filter(pk=principal.agent.pk) if principal.agent else own)


def newer_than(facts: FactQuerySet, moment: datetime) -> int:
    """How many were stored after this moment."""
    return facts.filter(recorded_at__gt=moment).count()


def replaced_by(principal: Principal, fact_id: UUID) -> FactQuerySet:
    """The memories that this one replaced."""
    found: FactQuerySet = Fact.objects.visible_to(principal).filter(superseded_by=fact_id)
    return found


def contradicting(principal: Principal, fact: Fact) -> FactQuerySet:
    """The memories in use that this one contradicts."""
    named = _ids(words_of(fact.attributes, CONTRADICTS))
    found: FactQuerySet = Fact.objects.visible_to(principal).active()
    return found.filter(pk__in=named) if named else found.none()


def _ids(named: Sequence[str]) -> list[UUID]:
    found = []
    for each in named:
        with suppress(ValueError):
            found.append(UUID(each))
    return found
