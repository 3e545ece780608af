"""Programs that remember on a person's behalf."""

from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id


class Agent(models.Model):
    """A program that reads and writes for its owner."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey("memory.User", on_delete=models.CASCADE, related_name="agents")
    name = models.CharField(max_length=120)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="agent_name_per_owner")
        ]

    def __str__(self) -> str:
        return self.name
