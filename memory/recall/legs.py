"""The legs of a recall: each finds its best candidates inside the scopes and filters."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.models import Q
from django.utils import timezone

from memory.domain.fields import Status
from memory.models import Embedding, EmbeddingModel, Fact, Turn
from memory.models.facts import FactQuerySet
from memory.models.searching import Hit, Words, matching, nearest
from memory.models.turns import TurnQuerySet
from memory.recall.queries import Noun, RecallQuery

CANDIDATES = 100
SINGULAR = {"facts": "fact", "turns": "turn"}


def keyword_leg(noun: Noun, query: RecallQuery, scopes: Sequence[UUID], words: Words) -> list[Hit]:
    """The rows that share words with the question."""
    return matching(candidates(noun, query, scopes), words, query.text, limit=CANDIDATES)


def vector_leg(
    noun: Noun,
    query: RecallQuery,
    scopes: Sequence[UUID],
    *,
    model: EmbeddingModel,
    vector: npt.NDArray[np.float32],
) -> list[Hit]:
    """The rows whose meaning is near the question's."""
    own = Q(**{f"{SINGULAR[noun]}__isnull": False})
    rows = Embedding.objects.by(model).filter(own, scope__in=scopes)
    rows = rows.filter(_conditions(noun, query, prefix=f"{SINGULAR[noun]}__"))
    if query.as_of is None:
        rows = rows.filter(is_searchable=True)
    if noun == "facts":
        moment = query.as_of or timezone.now()
        rows = rows.exclude(fact__in=Fact.objects.out_of_time(moment).filter(scope__in=scopes))
    return nearest(rows, SINGULAR[noun], vector, limit=CANDIDATES)


def literal_leg(noun: Noun, query: RecallQuery, scopes: Sequence[UUID]) -> list[Hit]:
    """The rows that hold the question letter by letter: for one without a single word."""
    rows = candidates(noun, query, scopes).containing(query.literal).newest_first()
    return [Hit(pk, 1.0) for pk in rows.values_list("pk", flat=True)[: query.limit]]


def candidates(
    noun: Noun, query: RecallQuery, scopes: Sequence[UUID]
) -> FactQuerySet | TurnQuerySet:
    """All rows that the question may return, before any ranking."""
    conditions = _conditions(noun, query, prefix="")
    if noun == "turns":
        return Turn.objects.filter(conditions, scope__in=scopes)
    facts = Fact.objects.filter(conditions, scope__in=scopes)
    facts = facts.in_time(query.as_of or timezone.now()).read_whole()
    return facts.active() if query.as_of is None else facts


def _conditions(noun: Noun, query: RecallQuery, *, prefix: str) -> Q:
    if noun == "turns":
        return _turn_conditions(query, prefix)
    filters = query.filters
    equal = {
        "kind": filters.kind,
        "category": filters.category,
        "entity__iexact": filters.entity,
        "source": filters.source,
        "document": filters.document,
        "tags__contains": [filters.tag] if filters.tag else None,
        "recorded_at__gte": filters.since,
        "recorded_at__lt": filters.until,
    }
    wanted = Q(**{prefix + name: value for name, value in equal.items() if value is not None})
    return wanted & _known_at(query, prefix) if query.as_of else wanted


def _turn_conditions(query: RecallQuery, prefix: str) -> Q:
    filters = query.filters
    bounds = {
        "observed_at__gte": filters.since,
        "observed_at__lt": filters.until,
        "recorded_at__lte": query.as_of,
    }
    return Q(**{prefix + name: value for name, value in bounds.items() if value is not None})


def _known_at(query: RecallQuery, prefix: str) -> Q:
    later = Q(**{f"{prefix}superseded_at__gt": query.as_of})
    current = Q(**{f"{prefix}status": Status.ACTIVE})
    return Q(**{f"{prefix}recorded_at__lte": query.as_of}) & (later | current)
