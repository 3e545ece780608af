"""One user with many embedded facts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from memory.db.search import search_vector, word_count
from memory.domain.text import content_hash
from memory.models import (
    Embedding,
    EmbeddingModel,
    Fact,
    Principal,
    Scope,
    User,
    acting_as,
    active_embedder,
    active_model,
)
from memory.services.accounts import create_account, create_token

BATCH = 500


@dataclass(frozen=True, slots=True)
class Owner:
    """The user whose facts are recalled, and a token of theirs."""

    principal: Principal
    token: str


def new_owner(email: str) -> Owner:
    """An account without any fact."""
    user = create_account(email)
    return Owner(Principal(user), create_token(user))


def remember_in_bulk(owner: Owner, texts: Sequence[str]) -> None:
    """Store these facts with their vectors, then do what autovacuum would do within a minute."""
    user: User = owner.principal.user
    with acting_as(owner.principal):
        scope, model = Scope.objects.for_user(user), active_model()
        for start in range(0, len(texts), BATCH):
            _store(scope, model, texts[start : start + BATCH])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) memory_fact, memory_embedding")


def _store(scope: Scope, model: EmbeddingModel, texts: Sequence[str]) -> None:
    facts = Fact.objects.bulk_create([_fact(scope, text) for text in texts])
    vectors = active_embedder().embed_passages(list(texts))
    Embedding.objects.bulk_create(
        Embedding(scope=scope, model=model, fact=fact, vector=vector)
        for fact, vector in zip(facts, vectors, strict=True)
    )


def _fact(scope: Scope, text: str) -> Fact:
    return Fact(
        scope=scope,
        text=text,
        content_hash=content_hash(text),
        search=search_vector(text),
        doc_length=word_count(text),
    )
