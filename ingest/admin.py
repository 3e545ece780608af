"""Documents in the admin."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet

from ingest.models import Document
from ingest.services.documents import delete_document, retry_document
from memory.admin.desk import CHANGE, DELETE, Action, Desk
from memory.admin.filters import OwnerFilter, ScopeFilter
from memory.admin.sight import StaffRequest, reaching
from memory.admin.words import scope_words
from memory.domain.errors import InvalidInput
from memory.models import User, acting_as


@admin.register(Document)
class DocumentDesk(Desk):
    """Stored files, how far each was read, and why one failed."""

    noun, nouns = "Document", "Documents"
    about = "Stored files, how far each was read, and why one failed."
    pages = frozenset({CHANGE, DELETE})
    goes_along = "Its passages, their vectors and the stored file go with it."
    actions: ClassVar[list[Any]] = ["read_again"]

    list_display = ("name", "whose", "status", "size_bytes", "passages", "recorded_at")
    list_filter = ("status", "media_type", ScopeFilter, OwnerFilter)
    search_fields = ("name",)
    ordering = ("-pk",)
    fields = readonly_fields = (
        "name", "whose", "uploaded_by", "media_type", "size_bytes", "tags", "status", "reason",
        "pages_done", "pages_total", "passages", "passages_embedded", "attempts", "recorded_at",
        "finished_at",
    )  # fmt: skip

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With owner and uploader."""
        return rows.with_owner()  # type: ignore[attr-defined,no-any-return]  # a DocumentQuerySet

    def owner_of(self, row: Document) -> User | None:
        """The owner of its scope."""
        return row.scope.owner

    @admin.display(description="Visible to", ordering="scope__kind")
    def whose(self, document: Document) -> str:
        """The scope with its owner."""
        return scope_words(document.scope)

    def delete_model(self, request: StaffRequest, obj: Document) -> None:
        """Delete it with its passages and file."""
        principal = reaching(request, [obj.scope_id])
        with acting_as(principal):
            delete_document(principal=principal, document_id=obj.pk)

    @admin.action(description="Read again")
    def read_again(self, request: StaffRequest, queryset: QuerySet[Any]) -> None:
        """Read failed and canceled ones once more."""
        documents = list(queryset)
        refused = [document for document in documents if not self._retried(request, document)]
        self.note(request, Action.READ_AGAIN, documents)
        if count := len(documents) - len(refused):
            noun = "document is" if count == 1 else "documents are"
            messages.success(request, f"{count:,} {noun} read again.")
        if refused:
            sentence = "Only a failed or canceled document can be read again."
            messages.warning(request, f"{len(refused):,} refused. {sentence}")

    def _retried(self, request: StaffRequest, document: Document) -> bool:
        principal = reaching(request, [document.scope_id])
        try:
            with acting_as(principal):
                retry_document(principal=principal, document_id=document.pk)
        except InvalidInput:
            return False
        return True
