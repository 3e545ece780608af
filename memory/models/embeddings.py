"""Vectors of facts and turns, by the model that made them."""

from typing import ClassVar, Self
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from pgvector.django import VectorField

from memory.models.facts import Fact, FactQuerySet
from memory.models.identifiers import new_id
from memory.models.scoped import scoped_manager
from memory.models.turns import Turn


class EmbeddingModel(models.Model):
    """One embedding model whose vectors are searchable; several may be in use at once."""

    name = models.CharField(max_length=120, unique=True)
    dimensions = models.PositiveIntegerField()
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.name


class EmbeddingQuerySet(models.QuerySet["Embedding"]):
    """Reads of vectors."""

    def by(self, model: EmbeddingModel) -> Self:
        """Vectors that this model made."""
        return self.filter(model=model)

    def of_fact(self, fact_id: UUID) -> Self:
        """One fact's vectors."""
        return self.filter(fact=fact_id)


EmbeddingManager = models.Manager.from_queryset(EmbeddingQuerySet)


class Embedding(models.Model):
    """One vector of one fact or turn, with copies of what the search filters by."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    model = models.ForeignKey(EmbeddingModel, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(
        Fact, on_delete=models.CASCADE, related_name="embeddings", null=True, blank=True
    )
    turn = models.ForeignKey(
        Turn, on_delete=models.CASCADE, related_name="embeddings", null=True, blank=True
    )
    vector = VectorField()
    is_searchable = models.BooleanField(default=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar["EmbeddingManager[Embedding]"] = scoped_manager(EmbeddingManager)

    class Meta:
        indexes = [models.Index(fields=["model", "scope"], name="embedding_model_scope")]
        constraints = [
            models.CheckConstraint(
                condition=Q(fact__isnull=False, turn=None) | Q(fact=None, turn__isnull=False),
                name="embedding_of_exactly_one",
            ),
            models.UniqueConstraint(fields=["fact", "model"], name="embedding_once_per_fact"),
            models.UniqueConstraint(fields=["turn", "model"], name="embedding_once_per_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.model_id} of {self.fact_id or self.turn_id}"


def facts_without_vector(model: EmbeddingModel) -> FactQuerySet:
    """Active facts that this model has not embedded yet, oldest first."""
    vectors = Embedding.objects.by(model).filter(fact=OuterRef("pk"))
    return Fact.objects.active().filter(~Exists(vectors)).order_by("pk")


def turns_without_vector(model: EmbeddingModel) -> models.QuerySet[Turn]:
    """Turns that this model has not embedded yet, oldest first."""
    vectors = Embedding.objects.by(model).filter(turn=OuterRef("pk"))
    return Turn.objects.filter(~Exists(vectors)).order_by("pk")
