"""Folders of this host whose files are kept as they come and change."""

from typing import TYPE_CHECKING, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from memory.models import Principal


class WatchedQuerySet(models.QuerySet["WatchedFolder"]):
    """Reads of watched folders."""

    def visible_to(self, principal: "Principal") -> Self:
        """Folders whose documents the principal may read. The only door for user-facing reads."""
        return self.filter(scope__in=principal.scopes())


WatchedManager = models.Manager.from_queryset(WatchedQuerySet)


class WatchedFolder(models.Model):
    """One folder: on whose behalf it is watched, for whom its files are kept, and how it goes."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("memory.User", on_delete=models.CASCADE, related_name="+")
    path = models.CharField(max_length=1_024)
    pattern = models.CharField(max_length=200, blank=True, default="")
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    is_enabled = models.BooleanField(default=True)
    last_error = models.TextField(blank=True, default="", editable=False)
    scanned_at = models.DateTimeField(null=True, blank=True, editable=False)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar["WatchedManager[WatchedFolder]"] = scoped_manager(WatchedManager)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "path"], name="watched_once_per_scope")
        ]

    def __str__(self) -> str:
        return self.path


class WatchedFile(models.Model):
    """One file in a watched folder as it was when it was last taken, so that it is taken once."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    folder = models.ForeignKey(WatchedFolder, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=1_024)
    size_bytes = models.PositiveBigIntegerField()
    changed_ns = models.BigIntegerField()
    document = models.ForeignKey(
        "ingest.Document", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    reason = models.TextField(blank=True, default="")

    objects: ClassVar["models.Manager[WatchedFile]"] = scoped_manager(
        models.Manager.from_queryset(models.QuerySet)
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["folder", "path"], name="watched_file_once")]

    def __str__(self) -> str:
        return self.path
