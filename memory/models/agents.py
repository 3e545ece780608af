"""Programs that remember on a person's behalf."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id

if TYPE_CHECKING:
    from memory.models.principals import Principal


class AgentQuerySet(models.QuerySet["Agent"]):
    """Reads of agents."""

    def visible_to(self, principal: "Principal") -> Self:
        """The agents of the principal's user; through an agent, that one only."""
        own = self.filter(owner=principal.user)
        return own.filter(pk=principal.agent.pk) if principal.agent else own


class Agent(models.Model):
    """A program that reads and writes for its owner."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey("memory.User", on_delete=models.CASCADE, related_name="agents")
    name = models.CharField(max_length=120)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AgentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="agent_name_per_owner")
        ]

    def __str__(self) -> str:
        return self.name
