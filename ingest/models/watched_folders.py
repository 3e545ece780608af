"""Folders of this host whose files are kept as they come and change."""

from typing import TYPE_CHECKING, ClassVar, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Value
from django.db.models.functions import Concat
from django.utils import timezone

from memory.models.identifiers import new_id
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from memory.models import Principal


WORDS_SHOWN = 100


class WatchedQuerySet(models.QuerySet["WatchedFolder"]):
    """Reads of watched folders."""

    def visible_to(self, principal: "Principal") -> Self:
        """Folders whose documents the principal may read. The only door for user-facing reads."""
        return self.filter(scope__in=principal.scopes())

    def enabled(self) -> Self:
        """Folders that are looked into, the one that has waited longest first."""
        return self.filter(is_enabled=True).order_by(F("scanned_at").asc(nulls_first=True), "pk")

    def with_owner(self) -> Self:
        """With the scope, whose it is and the person, in one query."""
        owner = ("scope__user", "scope__agent__owner", "scope__conversation__owner")
        return self.select_related(*owner, "user")

    def with_files(self) -> Self:
        """With `taken`, how many files were, and `words`, lines on files that need one."""
        files = WatchedFile.objects.filter(folder=OuterRef("pk"))
        line = Concat("path", Value(": "), "reason", output_field=models.TextField())
        words = files.with_a_word().annotate(line=line).values("line")[:WORDS_SHOWN]
        return self.annotate(
            taken=Count("files", filter=Q(files__document__isnull=False)),
            words=ArraySubquery(words),
        )

    def locked(self) -> Self:
        """The same rows, held until the transaction ends."""
        return self.select_for_update(of=("self",))


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


class WatchedFileQuerySet(models.QuerySet["WatchedFile"]):
    """Reads of files in watched folders."""

    def with_a_word(self) -> Self:
        """Files that need a word: they were not taken, are gone, or are another's twin."""
        return self.exclude(reason="").order_by("path")


WatchedFileManager = models.Manager.from_queryset(WatchedFileQuerySet)


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

    objects: ClassVar["WatchedFileManager[WatchedFile]"] = scoped_manager(WatchedFileManager)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["folder", "path"], name="watched_file_once")]

    def __str__(self) -> str:
        return self.path
