"""Vectors: stored with the row they belong to, made later by a worker, outside any transaction."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memory.domain.text import search_text
from memory.models import (
    Embedding,
    EmbeddingModel,
    Fact,
    JobRun,
    Turn,
    across_owners,
    active_embedder,
    active_model,
    facts_without_vector,
    turns_without_vector,
)
from memory.services.queue import QUICK, SLOW, enqueue

BATCH = 64
RETRY_AFTER = timedelta(minutes=1)


def queue_embedding(scope_id: UUID) -> None:
    """Have all that waits for a vector in this scope embedded soon."""
    enqueue("memory.tasks.embed_scope", scope_id, cluster=QUICK)


def embed_waiting(*, should_stop: Callable[[], bool] = lambda: False) -> dict[str, int]:
    """Embed every fact and turn of the active scopes that has no vector yet.

    Raises: Retryable or Permanent from the embedder; what is done by then stays done.
    """
    model = active_model()
    facts = _embed_all(model, facts_without_vector(model), "fact", should_stop)
    turns = _embed_all(model, turns_without_vector(model), "turn", should_stop)
    return {"facts": facts, "turns": turns}


def queue_missing() -> None:
    """Ring again for what still waits: the embedder was down, or a worker died.

    Side effects: at most one task at a time, and none within a minute of a failed one.
    """
    with across_owners():
        is_waited_for = anything_waits()
    if is_waited_for and not _embedding_was_tried_lately():
        enqueue("memory.tasks.embed_everything", cluster=SLOW)


def anything_waits() -> bool:
    """Whether a fact or turn of the active scopes has no vector of the model in use yet.

    The name is read from the database, so that asking does not load the model.
    """
    model = EmbeddingModel.objects.order_by("-pk").first()
    if model is None:
        return Fact.objects.active().exists() or Turn.objects.exists()
    return facts_without_vector(model).exists() or turns_without_vector(model).exists()


def _embedding_was_tried_lately() -> bool:
    since = timezone.now() - RETRY_AFTER
    return JobRun.objects.filter(kind="embed", subject=None, started_at__gt=since).exists()


def embed_rows(model: EmbeddingModel, rows: Sequence[Fact | Turn], noun: str) -> int:
    """Embed these rows and store the vectors of those whose text is still the same."""
    vectors = active_embedder().embed_passages([search_text(row.text) for row in rows])
    made = [
        Embedding(
            scope_id=row.scope_id,
            model=model,
            vector=vector,
            is_searchable=isinstance(row, Turn) or row.is_active,
            **{noun: row},
        )
        for row, vector in zip(rows, vectors, strict=True)
    ]
    return _store(made, noun)


def _embed_all(
    model: EmbeddingModel,
    waiting: QuerySet[Any],
    noun: str,
    should_stop: Callable[[], bool],
) -> int:
    count = 0
    while not should_stop():
        rows = list(waiting.only("pk", "text", "scope_id", *_state_of(noun))[:BATCH])
        if not rows or not embed_rows(model, rows, noun):
            break
        count += len(rows)
    return count


def _state_of(noun: str) -> tuple[str, ...]:
    return ("status",) if noun == "fact" else ()


@transaction.atomic
def _store(made: list[Embedding], noun: str) -> int:
    source = Fact if noun == "fact" else Turn
    texts = {getattr(each, noun).pk: getattr(each, noun).text for each in made}
    # Locked, so that a correction waits and then removes the vector of the old wording.
    same = source.objects.filter(pk__in=texts).select_for_update().values_list("pk", "text")
    unchanged = {pk for pk, text in same if texts[pk] == text}
    kept = [each for each in made if getattr(each, f"{noun}_id") in unchanged]
    Embedding.objects.bulk_create(kept, ignore_conflicts=True)
    return len(kept)
