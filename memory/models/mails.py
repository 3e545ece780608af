"""Mails that somebody asked for and that have not left yet."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id
from memory.models.users import User

# Who asked longer ago than this has asked again, or does not wait any more.
WAITS_AT_MOST = timedelta(days=1)


class WantedMailQuerySet(models.QuerySet["WantedMail"]):
    """Reads of mails that wait."""

    def due(self, now: datetime) -> Self:
        """Mails to send now, the one that has waited longest first."""
        waiting = self.filter(due_at__lte=now, recorded_at__gt=now - WAITS_AT_MOST)
        return waiting.order_by("due_at", "pk")

    def stale(self, now: datetime) -> Self:
        """Mails that nobody waits for any more."""
        return self.filter(recorded_at__lte=now - WAITS_AT_MOST)


class WantedMail(models.Model):
    """A sign-in link that is to be mailed; of nobody, when a stranger gave an unknown address."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = WantedMailQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["due_at", "id"], name="wanted_mail_due")]

    def __str__(self) -> str:
        return f"mail for {self.user_id}"
