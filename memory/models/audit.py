"""What staff did in the admin and with accounts, and whose rows a superuser saw; without texts."""

from typing import Self

from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Reads of the audit."""

    def latest_first(self) -> Self:
        """The last first."""
        return self.select_related("actor").order_by("-pk")


class AuditEntry(models.Model):
    """One look at somebody else's rows, or one change in the admin or under People.

    Shape: `rows` has the ids of the rows; what they said is nowhere in it.
    """

    class Action(models.TextChoices):
        """What was done."""

        LISTED = "listed"
        VIEWED = "viewed"
        EXPORTED = "exported"
        ADDED = "added"
        CHANGED = "changed"
        DELETED = "deleted"
        LINK_MADE = "link made"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    actor = models.ForeignKey(
        "memory.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    action = models.CharField(max_length=12, choices=Action.choices)
    noun = models.CharField(max_length=40)
    rows = models.JSONField(default=list)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.noun}"
