"""How much each scope holds, as last counted, so that a page need not count many rows itself."""

from typing import TYPE_CHECKING, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from memory.models.principals import Principal

# A count's `what`: active memories by kind, the other states, and the tags in use.
MEMORY, TAG = "memory:", "tag:"
ARCHIVED, SUPERSEDED, PASSAGES, TURNS = "archived", "superseded", "passages", "turns"


class ScopeCountQuerySet(models.QuerySet["ScopeCount"]):
    """Reads of counts."""

    def visible_to(self, principal: "Principal") -> Self:
        """Counts of the scopes that the principal may read."""
        return self.filter(scope__in=principal.scopes())

    def of_tags(self) -> Self:
        """How often each tag is in use."""
        return self.filter(what__startswith=TAG)

    def of_rows(self) -> Self:
        """How many rows of each sort there are."""
        return self.exclude(what__startswith=TAG)


ScopeCountManager = models.Manager.from_queryset(ScopeCountQuerySet)


class ScopeCount(models.Model):
    """How many rows of one sort a scope held when they were last counted.

    Shape: `daily` has the rows of each of the last 30 days, the last 24 hours first.
    """

    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    what = models.CharField(max_length=80)
    number = models.PositiveBigIntegerField()
    daily = ArrayField(models.PositiveIntegerField(), default=list, blank=True)
    latest_at = models.DateTimeField(null=True, blank=True)
    as_of = models.DateTimeField(default=timezone.now)

    objects: ClassVar["ScopeCountManager[ScopeCount]"] = scoped_manager(ScopeCountManager)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "what"], name="scope_count_once_per_sort")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.what}"
