"""What mails and archives hold: each attachment or file, and what became of it."""

from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models

from memory.models.identifiers import new_id
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from memory.models import Principal


class MemberQuerySet(models.QuerySet["Member"]):
    """Reads of members."""

    def visible_to(self, principal: "Principal") -> Self:
        """Members of documents the principal may read. The only door for user-facing reads."""
        return self.filter(scope__in=principal.scopes())

    def note_deletion(self, document_ids: "Collection[UUID]") -> None:
        """Have the rows of these documents say why they are none any more."""
        self.filter(document__in=document_ids).update(reason=Member.DELETED)


MemberManager = models.Manager.from_queryset(MemberQuerySet)


class Member(models.Model):
    """One file inside a document: the document it became, or the reason why it became none."""

    DELETED = "It was deleted."

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    container = models.ForeignKey(
        "ingest.Document", on_delete=models.CASCADE, related_name="members"
    )
    ordinal = models.PositiveIntegerField()
    path = models.CharField(max_length=1_024)
    document = models.ForeignKey(
        "ingest.Document",
        on_delete=models.SET_NULL,
        related_name="memberships",
        null=True,
        blank=True,
    )
    reason = models.TextField(blank=True, default="")

    objects: ClassVar["MemberManager[Member]"] = scoped_manager(MemberManager)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["container", "ordinal"], name="member_ordinal_once_per_container"
            )
        ]

    def __str__(self) -> str:
        return self.path
