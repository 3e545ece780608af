"""What was said: append-only, kept whatever happens to its processing."""

from datetime import datetime, timedelta
from datetime import timezone as fixed_zone
from typing import TYPE_CHECKING, ClassVar, Self
from uuid import UUID

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from memory.domain.fields import Role
from memory.models.choices import choices
from memory.models.identifiers import new_id
from memory.models.leases import Lease, LeaseQuerySet
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from memory.models.principals import Principal


class TurnQuerySet(LeaseQuerySet["Turn"]):
    """Reads of turns."""

    def visible_to(self, principal: "Principal") -> Self:
        """Turns the principal may read. The only door for user-facing reads."""
        return self.filter(scope__in=principal.scopes())

    def unprocessed(self) -> Self:
        """Turns whose capture failed or is still to come."""
        return self.filter(processed_at=None)

    def in_doubt(self) -> Self:
        """Turns of which the rules are unsure and the classifier is still to decide."""
        return self.filter(in_doubt=True)

    def containing(self, literal: str) -> Self:
        """Turns whose text holds these characters, in any case; no wildcards."""
        return self.filter(text__icontains=literal)

    def oldest_first(self) -> Self:
        """As they were said, ties by id."""
        return self.order_by("observed_at", "pk")

    def after(self, observed_at: datetime, pk: UUID) -> Self:
        """The turns after this place, as they were said."""
        later = Q(observed_at__gt=observed_at) | Q(observed_at=observed_at, pk__gt=pk)
        return self.filter(later)

    def newest_first(self) -> Self:
        """The latest first, ties by id."""
        return self.order_by("-observed_at", "-pk")

    def with_parts(self) -> Self:
        """With scope and conversation, in one query."""
        return self.select_related(
            "scope__agent",
            "scope__conversation",
            "conversation__owner",
            "conversation__agent",
        )

    def locked(self) -> Self:
        """The same rows, held until the transaction ends."""
        return self.select_for_update(of=("self",))

    def for_results(self) -> Self:
        """With what a result shows, without the search vector."""
        return self.with_parts().defer("search")


TurnManager = models.Manager.from_queryset(TurnQuerySet)


class Turn(Lease):
    """One utterance in a conversation, with what it gave or why it gave nothing.

    `doubts` are its passages that the rules neither kept nor dropped, and what became of each.
    Units: `utc_offset_seconds` east of Greenwich, of the clock of whoever said it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(
        "memory.Conversation", on_delete=models.CASCADE, related_name="turns"
    )
    role = models.CharField(max_length=12, choices=choices(Role))
    speaker = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    lang = models.CharField(max_length=8, default="en")
    observed_at = models.DateTimeField(default=timezone.now)
    utc_offset_seconds = models.IntegerField(default=0, editable=False)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    key = models.CharField(max_length=200, blank=True)
    signals = models.JSONField(default=list, blank=True)
    captured = models.JSONField(default=list, blank=True)
    skipped = models.TextField(blank=True)
    processed_at = models.DateTimeField(null=True, blank=True)
    doubts = models.JSONField(default=list, blank=True)
    in_doubt = models.BooleanField(default=False, editable=False)
    search = SearchVectorField(editable=False)
    doc_length = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar["TurnManager[Turn]"] = scoped_manager(TurnManager)

    class Meta:
        indexes = [
            GinIndex(fields=["search"], name="turn_search"),
            models.Index(fields=["conversation", "observed_at"], name="turn_conversation_observed"),
            models.Index(fields=["scope"], condition=Q(in_doubt=True), name="turn_in_doubt"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "conversation", "key"], condition=~Q(key=""), name="turn_key_once"
            )
        ]

    def __str__(self) -> str:
        return self.text[:80]

    @property
    def said_at(self) -> datetime:
        """When it was said, by the clock of whoever said it: "tomorrow" is a day of theirs."""
        offset = timedelta(seconds=self.utc_offset_seconds)
        return self.observed_at.astimezone(fixed_zone(offset))

    def get_absolute_url(self) -> str:
        """The turn's place on the page of its conversation."""
        page = reverse("conversation-detail", args=[self.conversation_id])
        return f"{page}?turn={self.pk}#turn-{self.pk}"
