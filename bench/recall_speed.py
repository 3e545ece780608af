"""What recall costs beside its own two statements and one embedding."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from uuid import UUID

import psycopg

from bench.facts import Owner
from bench.results import Measurement, at_most
from bench.timing import ROUNDS, percentile
from memory.models import acting_as, active_embedder, active_model
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall

CANDIDATES = 100
BY_WORDS = """
SELECT id, ts_rank(search, words, 1) AS rank
FROM memory_fact,
    (SELECT replace(plainto_tsquery('english', %s)::text, '&', '|')::tsquery AS words) AS query
WHERE scope_id = ANY(%s) AND status = 'active' AND search @@ words
ORDER BY rank DESC, id DESC LIMIT %s
"""
BY_MEANING = """
SELECT fact_id, (vector::vector(384)) <#> %s::vector AS distance
FROM memory_embedding
WHERE scope_id = ANY(%s) AND model_id = %s AND fact_id IS NOT NULL AND is_searchable
ORDER BY distance LIMIT %s
"""


def measure_recall(owner: Owner, queries: Sequence[str], database_url: str) -> list[Measurement]:
    """Recall through the service beside bare statements, on the same questions in turn."""
    with (
        acting_as(owner.principal) as principal,
        psycopg.connect(database_url, autocommit=True) as connection,
    ):
        scopes, model_id = principal.recall_scopes(), active_model().pk
        ours, bare = _rounds(
            queries,
            lambda text: recall(RecallQuery(text=text, limit=10), scopes),
            lambda text: _bare(connection, text, scopes, model_id),
        )
    return [
        Measurement("recall, p50", _typical(ours, 0.5), "ms"),
        at_most("recall, p95", _typical(ours, 0.95), "ms", ceiling=60),
        Measurement("bare statements and embedding, p50", _typical(bare, 0.5), "ms"),
        Measurement("bare statements and embedding, p95", _typical(bare, 0.95), "ms"),
        at_most("recall to bare", _ratio(ours, bare), "x", ceiling=3),
    ]


def _rounds(
    queries: Sequence[str], ours: Callable[[str], object], bare: Callable[[str], object]
) -> tuple[list[list[float]], list[list[float]]]:
    """Each question's milliseconds in every round, after a round to warm up."""
    ours_ms: list[list[float]] = []
    bare_ms: list[list[float]] = []
    for _ in range(ROUNDS + 1):
        pairs = [(_ms(ours, text), _ms(bare, text)) for text in queries]
        ours_ms.append([first for first, _ in pairs])
        bare_ms.append([second for _, second in pairs])
    return ours_ms[1:], bare_ms[1:]


def _ms(work: Callable[[str], object], text: str) -> float:
    started = perf_counter()
    work(text)
    return (perf_counter() - started) * 1_000


def _typical(rounds: Sequence[Sequence[float]], share: float) -> float:
    return median(percentile(times, share) for times in rounds)


def _ratio(ours: Sequence[Sequence[float]], bare: Sequence[Sequence[float]]) -> float:
    return median(sum(first) / sum(second) for first, second in zip(ours, bare, strict=True))


def _bare(
    connection: psycopg.Connection, text: str, scopes: Sequence[UUID], model_id: int
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    vector = "[" + ",".join(map(str, active_embedder().embed_query(text).tolist())) + "]"
    by_words = connection.execute(BY_WORDS, [text, list(scopes), CANDIDATES], prepare=False)
    found = by_words.fetchall()
    by_meaning = connection.execute(
        BY_MEANING, [vector, list(scopes), model_id, CANDIDATES], prepare=False
    )
    return found, by_meaning.fetchall()
