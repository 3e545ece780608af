"""Vectors: stored with the row they belong to, made later by a worker, outside any transaction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memory.domain.errors import Permanent, Retryable
from memory.domain.fields import Status
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
from memory.services.queue import QUICK, SLOW, enqueue, is_waiting

Embedded = Mapping[UUID, tuple[str, npt.NDArray[np.float32]]]

EMBED_EVERYTHING = "memory.tasks.embed_everything"
NIL = UUID(int=0)
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
    facts = _embed_all(model, waiting_facts(model), "fact", should_stop)
    turns = _embed_all(model, turns_without_vector(model), "turn", should_stop)
    return {"facts": facts, "turns": turns}


def queue_missing() -> None:
    """Ring again for what still waits: the embedder was down, or a worker died.

    Side effects: at most one task at a time, and none within a minute of the last.
    """
    with across_owners():
        is_waited_for = anything_waits()
    if is_waited_for and not is_waiting(EMBED_EVERYTHING, SLOW) and not _was_tried_lately():
        enqueue(EMBED_EVERYTHING, cluster=SLOW)


def anything_waits() -> bool:
    """Whether a fact or turn of the active scopes has no vector of the model in use yet."""
    try:
        model = active_model()
    except (Permanent, Retryable):
        return True  # the run that follows leaves a row with the reason
    return waiting_facts(model).exists() or turns_without_vector(model).exists()


def waiting_facts(model: EmbeddingModel) -> QuerySet[Fact]:
    """Facts without a vector, but for passages of a document that is still being read."""
    return facts_without_vector(model).settled()


def _was_tried_lately() -> bool:
    runs = JobRun.objects.filter(kind="embed", subject=None)
    since = timezone.now() - RETRY_AFTER
    return runs.unfinished().exists() or runs.filter(started_at__gt=since).exists()


def embed_rows(model: EmbeddingModel, rows: Sequence[Fact | Turn], noun: str) -> int:
    """Embed these rows and store the vectors of those whose text is still the same."""
    vectors = active_embedder().embed_passages([search_text(row.text) for row in rows])
    embedded = {row.pk: (row.text, vector) for row, vector in zip(rows, vectors, strict=True)}
    return _store_facts(model, embedded) if noun == "fact" else _store_turns(model, embedded)


def _embed_all(
    model: EmbeddingModel, waiting: QuerySet[Any], noun: str, should_stop: Callable[[], bool]
) -> int:
    count, last = 0, NIL
    while not should_stop():
        # By page, so that what is embedded already is not looked at again.
        rows = list(waiting.filter(pk__gt=last).order_by("pk").only("pk", "text")[:BATCH])
        if not rows:
            break
        count += embed_rows(model, rows, noun)
        last = rows[-1].pk
    return count


@transaction.atomic
def _store_facts(model: EmbeddingModel, embedded: Embedded) -> int:
    # Locked, so that a correction or a forgetting waits and then sees the vector.
    locked = Fact.objects.filter(pk__in=embedded).locked().order_by("pk")
    rows = locked.values_list("pk", "text", "scope_id", "status")
    made = [
        Embedding(
            fact_id=pk,
            model=model,
            vector=embedded[pk][1],
            scope_id=scope_id,
            is_searchable=status == Status.ACTIVE,
        )
        for pk, text, scope_id, status in rows
        if embedded[pk][0] == text
    ]
    Embedding.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


@transaction.atomic
def _store_turns(model: EmbeddingModel, embedded: Embedded) -> int:
    locked = Turn.objects.filter(pk__in=embedded).select_for_update(of=("self",)).order_by("pk")
    made = [
        Embedding(turn_id=pk, model=model, vector=embedded[pk][1], scope_id=scope_id)
        for pk, scope_id in locked.values_list("pk", "scope_id")
    ]
    Embedding.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)
