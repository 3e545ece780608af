"""Documents and watched folders in the admin."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from ingest.models import Document, WatchedFolder
from ingest.services.documents import delete_document, retry_document
from ingest.services.watching import change_watching, forget_folder, watch_folder
from memory.admin.desk import ADD, CHANGE, DELETE, Action, Desk
from memory.admin.filters import OwnerFilter, ScopeFilter
from memory.admin.forms import RefusableForm, ScopeField, TagsField
from memory.admin.sight import StaffRequest, reaching
from memory.admin.words import scope_words
from memory.domain.errors import InvalidInput
from memory.models import Principal, Scope, User, acting_as


@admin.register(Document)
class DocumentDesk(Desk):
    """Stored files, how far each was read, and why one failed."""

    noun, nouns = "Document", "Documents"
    about = "Stored files, how far each was read, and why one failed."
    pages = frozenset({CHANGE, DELETE})
    goes_along = "Its passages, their vectors and the stored file go with it."
    actions: ClassVar[list[Any]] = ["read_again"]

    list_display = (
        "name", "version", "whose", "status", "size_bytes", "passages", "recorded_at",
    )  # fmt: skip
    list_filter = ("status", "media_type", ScopeFilter, OwnerFilter)
    search_fields = ("name",)
    ordering = ("-pk",)
    fields = readonly_fields = (
        "name", "version", "whose", "uploaded_by", "media_type", "size_bytes", "tags", "status",
        "reason", "note", "pages_done", "pages_total", "passages", "passages_embedded",
        "attempts", "recorded_at", "finished_at",
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


class WatchForm(RefusableForm):
    """Which files of a folder are taken."""

    class Meta:
        labels: ClassVar[dict[str, str]] = {"is_enabled": "Watched"}

    pattern = forms.CharField(
        required=False,
        label="Only these",
        widget=UnfoldAdminTextInputWidget,
        help_text="A pattern such as *.pdf; all files without one.",
    )
    tags = TagsField()


class NewWatchForm(WatchForm):
    """A folder, and whose documents its files become."""

    path = forms.CharField(
        widget=UnfoldAdminTextInputWidget,
        help_text="The whole path on the host of the workers, inside LONGHAND_WATCH_FOLDERS.",
    )
    scope = ScopeField(
        label="Visible to",
        queryset=Scope.objects.none(),
        widget=UnfoldAdminSelectWidget,
        empty_label="Choose",
    )

    def validate_constraints(self) -> None:
        """Nothing: a folder that is named again is watched as it is told then."""


@admin.register(WatchedFolder)
class WatchedFolderDesk(Desk):
    """Folders whose files are kept as they come and change."""

    noun, nouns = "Watched folder", "Watched folders"
    about = "Folders of the host whose files are kept as they come and change."
    pages = frozenset({ADD, CHANGE, DELETE})
    is_readonly = False
    goes_along = "Its documents stay."
    form = WatchForm

    list_display = ("path", "whose", "is_enabled", "taken", "last_error", "scanned_at")
    list_filter = ("is_enabled", ScopeFilter, OwnerFilter)
    search_fields = ("path",)
    ordering = ("path", "pk")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """To add, what is asked; of one that is there, how it goes as well."""
        if obj is None:
            return ("path", "scope", "pattern", "tags")
        changed = ("is_enabled", "pattern", "tags")
        return (*changed, *self.get_readonly_fields(request, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """What no form changes."""
        told = ("path", "whose", "user", "taken", "last_error", "scanned_at", "not_taken")
        return told if obj else ()

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's
        **kwargs: Any,
    ) -> Any:
        """The form with the scopes that the reader may write to."""
        kwargs["form"] = WatchForm if obj else NewWatchForm
        form = super().get_form(request, obj, change=change, **kwargs)
        if obj is None:
            principal: Principal = request.principal  # type: ignore[attr-defined]  # see StaffRequest
            scopes = Scope.objects.lasting().visible_to(principal)
            form.base_fields["scope"].queryset = scopes
        return form

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With owner, person and files."""
        return rows.with_owner().with_files()  # type: ignore[attr-defined,no-any-return]  # a WatchedQuerySet

    def owner_of(self, row: WatchedFolder) -> User | None:
        """The owner of its scope."""
        return row.scope.owner

    @admin.display(description="Visible to", ordering="scope__kind")
    def whose(self, folder: WatchedFolder) -> str:
        """The scope with its owner."""
        return scope_words(folder.scope)

    @admin.display(description="Files taken", ordering="taken")
    def taken(self, folder: Any) -> str:
        """How many files became documents."""
        return f"{folder.taken:,}"

    @admin.display(description="Files that need a word")
    def not_taken(self, folder: Any) -> str:
        """Each file that was not taken, is gone or is another's twin, and why."""
        return "\n".join(folder.words) or "none"

    def save_model(
        self,
        request: StaffRequest,
        obj: WatchedFolder,
        form: Any,
        change: bool,  # noqa: FBT001 - Django's
    ) -> None:
        """Watch it, or change how.

        Raises: InvalidInput for a folder that may not be watched.
        """
        told = form.cleaned_data
        if not change:
            scope, path = told["scope"], told["path"]
            how = {"pattern": told["pattern"], "tags": told["tags"]}
            principal = request.principal
            obj.pk = watch_folder(principal=principal, scope=scope, path=path, **how).pk
            return
        principal = reaching(request, [obj.scope_id])
        with acting_as(principal):
            change_watching(
                principal=principal,
                folder_id=obj.pk,
                is_enabled=told["is_enabled"],
                pattern=told["pattern"],
                tags=told["tags"],
            )

    def delete_model(self, request: StaffRequest, obj: WatchedFolder) -> None:
        """Watch it no more; its documents stay."""
        principal = reaching(request, [obj.scope_id])
        with acting_as(principal):
            forget_folder(principal=principal, folder_id=obj.pk)
