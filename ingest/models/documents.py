"""Files that people gave to be remembered."""

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Self
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone

from memory.models.identifiers import new_id
from memory.models.leases import Lease, LeaseQuerySet
from memory.models.scoped import scoped_manager
from memory.models.scopes import Scope

if TYPE_CHECKING:
    from memory.models import Principal


class DocumentQuerySet(LeaseQuerySet["Document"]):
    """Reads and claims of documents."""

    def visible_to(self, principal: "Principal") -> Self:
        """Documents the principal may read. The only door for user-facing reads."""
        return self.filter(scope__in=principal.scopes())

    def changeable_by(self, principal: "Principal") -> Self:
        """Documents the principal may read and change."""
        rows = self.visible_to(principal)
        return rows if principal.may_write_global else rows.exclude(scope__kind=Scope.Kind.GLOBAL)

    def newest_first(self) -> Self:
        """The latest first."""
        return self.order_by("-pk")

    def in_flight(self) -> Self:
        """Documents that wait or are being worked on."""
        return self.filter(status__in=Document.IN_FLIGHT)

    def due(self, now: datetime) -> Self:
        """Documents that nobody works on and whose turn has come."""
        waiting = Q(retry_at=None) | Q(retry_at__lte=now)
        return self.in_flight().unclaimed(now).filter(waiting)

    def searchable(self) -> Self:
        """Documents whose passages can be found, by their words at least."""
        return self.filter(status__in=Document.SEARCHABLE)

    def of_origin(self, scope_id: UUID, origin: str) -> Self:
        """The versions of one thing, the newest first; what has no origin has none."""
        rows = self.filter(scope=scope_id, origin=origin).exclude(origin="")
        return rows.order_by("-version", "-pk")

    def versions_of(self, document: "Document") -> Self:
        """All versions of this document, itself among them, the newest first."""
        if not document.origin:
            return self.filter(pk=document.pk)
        return self.of_origin(document.scope_id, document.origin)

    def current(self) -> Self:
        """All but documents that a newer version has replaced, with what was found in those."""
        own, holder = _newer_version(""), _newer_version("parent__")
        return self.filter(
            Q(origin="") | ~Exists(own), Q(parent=None) | Q(parent__origin="") | ~Exists(holder)
        )

    def unread(self) -> Self:
        """Documents that wait to be read or are being read: each may still fail."""
        return self.filter(status__in=[Document.Status.QUEUED, Document.Status.PARSING])

    def failed(self) -> Self:
        """Documents that could not be read."""
        return self.filter(status=Document.Status.FAILED)

    def retryable(self) -> Self:
        """Failed documents that may be read by another try alone, without their password."""
        return self.failed().filter(needs_password=False)

    def locked(self) -> Self:
        """The same rows, held until the transaction ends."""
        return self.select_for_update(of=("self",))

    def with_owner(self) -> Self:
        """With the scope, whose it is and the uploader, in one query."""
        owner = ("scope__user", "scope__agent__owner", "scope__conversation__owner")
        return self.select_related(*owner, "uploaded_by")

    def of_owner(self, user_id: UUID) -> Self:
        """Documents of this user, their agents and their conversations."""
        own = Q(scope__user=user_id) | Q(scope__agent__owner=user_id)
        return self.filter(own | Q(scope__conversation__owner=user_id))

    def with_parts(self) -> Self:
        """With scope and uploader, in one query."""
        return self.select_related("scope__agent", "scope__conversation", "uploaded_by")


def _newer_version(prefix: str) -> DocumentQuerySet:
    same = {name: OuterRef(prefix + name) for name in ("scope", "origin")}
    newer: DocumentQuerySet = Document.objects.searchable()
    # The index of those above 1 is small, and chosen before anything is known of the table.
    return newer.filter(version__gt=1).filter(version__gt=OuterRef(f"{prefix}version"), **same)


DocumentManager = models.Manager.from_queryset(DocumentQuerySet)


class Document(Lease):
    """One stored file, its stage, and why it failed if it did."""

    class Status(models.TextChoices):
        """Where a document is on its way."""

        QUEUED = "queued"
        PARSING = "parsing"
        EMBEDDING = "embedding"
        DONE = "done"
        FAILED = "failed"
        CANCELED = "canceled"

    IN_FLIGHT = (Status.QUEUED, Status.PARSING, Status.EMBEDDING)
    SEARCHABLE = (Status.EMBEDDING, Status.DONE)

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    uploaded_by = models.ForeignKey(
        "memory.User", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    name = models.CharField(max_length=255)
    media_type = models.CharField(max_length=120)
    size_bytes = models.PositiveBigIntegerField()
    sha256 = models.BinaryField(max_length=32)
    file = models.CharField(max_length=200, editable=False)
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    # Where it came from, as "upload:report.txt"; the same origin with other bytes is a new version.
    origin = models.CharField(max_length=1_100, blank=True, default="", editable=False)
    version = models.PositiveIntegerField(default=1)
    # The version before this one; its passages stay current until this one can be searched.
    replaces = models.OneToOneField(
        "self", on_delete=models.SET_NULL, related_name="replaced_by", null=True, blank=True
    )
    # The mail or archive that this document was found in.
    parent = models.ForeignKey(
        "self", on_delete=models.CASCADE, related_name="children", null=True, blank=True
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.QUEUED)
    reason = models.TextField(blank=True)
    # What its owner should know of a document that was read, such as a name that was wrong.
    note = models.TextField(blank=True, default="", editable=False)
    pages_done = models.PositiveIntegerField(default=0)
    pages_total = models.PositiveIntegerField(null=True, blank=True)
    passages = models.PositiveIntegerField(default=0)
    passages_embedded = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    needs_password = models.BooleanField(default=False)
    # Stays when the right one was given: the file is locked, and the password was never kept.
    has_password = models.BooleanField(default=False, editable=False)
    # Given for the next try alone: whoever claims the document takes it out of here.
    sealed_password = models.TextField(blank=True, default="", editable=False)
    retry_at = models.DateTimeField(null=True, blank=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    progressed_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar["DocumentManager[Document]"] = scoped_manager(DocumentManager)

    class Meta:
        indexes = [
            models.Index(fields=["scope", "-recorded_at"], name="document_scope_recorded"),
            models.Index(fields=["status", "claimed_until"], name="document_status_claim"),
            models.Index(fields=["scope", "origin"], name="document_scope_origin"),
            models.Index(
                fields=["origin", "scope"],
                name="document_newer_version",
                condition=Q(version__gt=1),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "sha256"], name="document_bytes_once_per_scope"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The document's page in Mission Control."""
        return reverse("document-detail", args=[self.pk])

    @property
    def is_in_flight(self) -> bool:
        """Whether the document waits or is being worked on."""
        return self.status in self.IN_FLIGHT

    @property
    def is_searchable(self) -> bool:
        """Whether its passages can be found, by their words at least."""
        return self.status in self.SEARCHABLE
