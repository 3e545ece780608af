"""Exchanges between a person and an agent."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.urls import reverse
from django.utils import timezone

from memory.models.identifiers import new_id

if TYPE_CHECKING:
    from memory.models.principals import Principal


class ConversationQuerySet(models.QuerySet["Conversation"]):
    """Reads of conversations."""

    def visible_to(self, principal: "Principal") -> Self:
        """Conversations of the principal's user; with an agent, of that agent only."""
        own = self.filter(owner=principal.user)
        return own.filter(agent=principal.agent) if principal.agent else own


class Conversation(models.Model):
    """A series of turns under the client's own key."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey("memory.User", on_delete=models.CASCADE, related_name="conversations")
    agent = models.ForeignKey(
        "memory.Agent",
        on_delete=models.CASCADE,
        related_name="conversations",
        null=True,
        blank=True,
    )
    key = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "key"], name="conversation_key_per_owner")
        ]

    def __str__(self) -> str:
        return self.title or self.key

    def get_absolute_url(self) -> str:
        """The conversation's page in Mission Control."""
        return reverse("conversation-detail", args=[self.pk])
