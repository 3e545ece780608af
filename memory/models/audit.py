"""What staff did, whose rows a superuser saw, and what the vault told its owner; without texts."""

from typing import Self

from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    """Reads of the audit."""

    def latest_first(self) -> Self:
        """The last first."""
        return self.select_related("actor", "owner").order_by("-pk")


class AuditEntry(models.Model):
    """One look at somebody else's rows, or one change in the admin or under People.

    Shape: `rows` has the ids of the rows, all of one owner, none for what is shared; what they said
        is nowhere in it.
    """

    class Action(models.TextChoices):
        """What was done."""

        LISTED = "listed", "Saw in a list"
        VIEWED = "viewed", "Opened"
        EXPORTED = "exported", "Exported"
        ADDED = "added", "Added"
        CHANGED = "changed", "Changed"
        RECATEGORIZED = "recategorized", "Changed the category"
        RETAGGED = "retagged", "Changed the tags"
        MOVED = "moved", "Moved to another scope"
        FORGOT = "forgot", "Forgot"
        RESTORED = "restored", "Restored"
        DELETED = "deleted", "Deleted for good"
        REVOKED = "revoked", "Revoked"
        READ_AGAIN = "read again", "Had read again"
        LINK_MADE = "link made", "Made a sign-in link"
        CLOSED = "closed", "Closed"
        REOPENED = "reopened", "Opened again"
        STAFF_MADE = "staff made", "Made staff"
        STAFF_UNMADE = "staff unmade", "Took staff rights from"
        REVEALED = "revealed", "Had the vault tell a value of"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    actor = models.ForeignKey(
        "memory.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    owner = models.ForeignKey(
        "memory.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    action = models.CharField("what was done", max_length=20, choices=Action.choices)
    noun = models.CharField("to what", max_length=40)
    rows = models.JSONField(default=list)
    recorded_at = models.DateTimeField("when", default=timezone.now, editable=False)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.noun}"
