"""The row is the lease: who works on it, until when, and how often it was tried."""

from datetime import datetime, timedelta
from typing import Self, TypeVar
from uuid import UUID

from django.db import models
from django.db.models import F, Q

M = TypeVar("M", bound=models.Model)


class LeaseQuerySet(models.QuerySet[M]):
    """Compare-and-set on a row's lease."""

    def unclaimed(self, now: datetime) -> Self:
        """Rows that nobody works on at this time."""
        return self.filter(Q(claimed_until=None) | Q(claimed_until__lt=now))

    def take(self, token: UUID, now: datetime, seconds: float, **changes: object) -> int:
        """Claim unclaimed rows; the attempt is counted here, before the work."""
        return self.unclaimed(now).update(
            claim_token=token,
            claimed_until=now + timedelta(seconds=seconds),
            attempts=F("attempts") + 1,
            **changes,
        )

    def held_by(self, token: UUID) -> Self:
        """Rows whose claim is still this one."""
        return self.filter(claim_token=token)

    def release(self, token: UUID, **changes: object) -> int:
        """Give a claim back; 0 rows mean that it was lost."""
        return self.held_by(token).update(claim_token=None, claimed_until=None, **changes)


class Lease(models.Model):
    """The columns of a row that workers claim."""

    claim_token = models.UUIDField(null=True, blank=True, editable=False)
    claimed_until = models.DateTimeField(null=True, blank=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    last_error = models.TextField(blank=True, editable=False)

    class Meta:
        abstract = True
