"""Query -> candidates -> fusion -> ranked, explained facts and turns."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from uuid import UUID

import structlog
from django.utils import timezone

from memory.backends.embedding.contract import Vector
from memory.domain.errors import Permanent, Retryable
from memory.domain.ranking import Part, leg_weights, scale, score
from memory.models import Fact, FactUsage, Turn, active_embedder, active_model
from memory.models.searching import Hit, words_of
from memory.recall.block import block_of
from memory.recall.legs import keyword_leg, literal_leg, vector_leg
from memory.recall.queries import Noun, RecallQuery, checked_query

log = structlog.get_logger(__name__)

Key = tuple[Noun, UUID]
Legs = Mapping[str, Mapping[Key, Hit]]


@dataclass(frozen=True, slots=True)
class Result:
    """One fact or turn with the parts of its score."""

    noun: Noun
    row: Fact | Turn
    parts: Mapping[str, Part]

    @property
    def score(self) -> float:
        """The sum of the parts."""
        return score(self.parts)


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer to one query; `notice` says which leg could not take part, and the remedy."""

    results: Sequence[Result]
    block: str
    took_ms: float
    notice: str = ""


def recall(query: RecallQuery, scopes: Sequence[UUID]) -> Recalled:
    """The rows of these scopes that answer the query best, the same ones each time.

    Raises: InvalidInput; Permanent or Retryable when the mode is semantic and no embedder runs.
    Side effects: counts the recall of each returned fact.
    """
    started = perf_counter()
    query = checked_query(query)
    legs, notice = _search(query, scopes)
    results = _loaded(query, _ranked(legs)[: query.limit])
    FactUsage.objects.note_recall(
        [result.row.pk for result in results if result.noun == "facts"], timezone.now()
    )
    block = block_of([result.row for result in results], query.budget_tokens)
    return Recalled(results, block, (perf_counter() - started) * 1000, notice)


def _search(query: RecallQuery, scopes: Sequence[UUID]) -> tuple[Legs, str]:
    if query.mode == "keyword":
        return {"keyword": _by_words(query, scopes)}, ""
    # The model and the database compute at the same time.
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding") as beside:
        vector = _started(beside, query.text)
        if query.mode == "semantic":
            return {"vector": _by_meaning(query, scopes, vector())}, ""
        legs = {"keyword": _by_words(query, scopes)}
        try:
            return legs | {"vector": _by_meaning(query, scopes, vector())}, ""
        except (Permanent, Retryable) as error:
            # The un-enriched result: words alone, and the reason beside them.
            log.warning("recall.no_vectors", reason=str(error))
            return legs, f"Searched by words only. {error}"


def _started(beside: ThreadPoolExecutor, text: str) -> Callable[[], Vector]:
    """What gives the vector; where no further thread may be, it is computed when it is asked."""
    try:
        return beside.submit(_embedded, text).result
    except RuntimeError:
        return partial(_embedded, text)


def _by_words(query: RecallQuery, scopes: Sequence[UUID]) -> dict[Key, Hit]:
    words = words_of(query.text)
    found: dict[Key, Hit] = {}
    for noun in query.nouns:
        if words.stems:
            hits = keyword_leg(noun, query, scopes, words)
        else:
            hits = literal_leg(noun, query, scopes)
        found |= {(noun, hit.pk): hit for hit in hits}
    return found


def _embedded(text: str) -> Vector:
    return active_embedder().embed_query(text)


def _by_meaning(query: RecallQuery, scopes: Sequence[UUID], vector: Vector) -> dict[Key, Hit]:
    model = active_model()
    found: dict[Key, Hit] = {}
    for noun in query.nouns:
        hits = vector_leg(noun, query, scopes, model=model, vector=vector)
        found |= {(noun, hit.pk): hit for hit in hits}
    return found


def _ranked(legs: Legs) -> list[tuple[Key, dict[str, Part]]]:
    weights = leg_weights(list(legs))
    parts: dict[Key, dict[str, Part]] = {}
    for leg, hits in legs.items():
        scaled = scale([hit.raw for hit in hits.values()])
        for (key, hit), value in zip(hits.items(), scaled, strict=True):
            part = Part(hit.raw, value, hit.covered, weights[leg])
            parts.setdefault(key, {})[leg] = part
    return sorted(parts.items(), key=lambda item: (-score(item[1]), item[0][0], -item[0][1].int))


def _loaded(query: RecallQuery, ranked: Sequence[tuple[Key, dict[str, Part]]]) -> list[Result]:
    """The rows behind the keys; one that was forgotten or purged meanwhile is left out."""
    wanted = {noun: [pk for (kind, pk), _ in ranked if kind == noun] for noun in query.nouns}
    rows: dict[Key, Fact | Turn] = {}
    if wanted.get("facts"):
        facts = Fact.objects.for_results().filter(pk__in=wanted["facts"])
        found = facts if query.as_of else facts.active()
        rows |= {("facts", fact.pk): fact for fact in found}
    if wanted.get("turns"):
        turns = Turn.objects.for_results().filter(pk__in=wanted["turns"])
        rows |= {("turns", turn.pk): turn for turn in turns}
    return [Result(key[0], rows[key], parts) for key, parts in ranked if key in rows]
