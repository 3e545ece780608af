"""Memories, one by one and in bulk."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet

from memory.admin.bulk_actions import BULK_ACTIONS
from memory.admin.desk import CHANGE, DELETE, Desk
from memory.admin.exporting import export_facts
from memory.admin.filters import (
    STATUSES,
    CategoryFilter,
    KindFilter,
    OwnerFilter,
    ScopeFilter,
    StatusFilter,
)
from memory.admin.forms import FactForm
from memory.admin.sight import StaffRequest, hands_of
from memory.admin.words import scope_words, shortened
from memory.models import Fact, User, acting_as, with_changed_at
from memory.services.changes import EDITABLE
from memory.services.credentials import correct_without_secrets
from memory.services.facts import WITHDRAWN, purge_fact


@admin.register(Fact)
class FactDesk(Desk):
    """Memories and passages: found, corrected, moved, forgotten and exported."""

    noun, nouns = "Memory", "Memories"
    about = "What is remembered, passages of documents too: find, correct, move, forget, export."
    pages = frozenset({CHANGE, DELETE})
    is_readonly = False
    goes_along = "Its history and vectors go with it. Forget it instead to be able to restore it."
    form = FactForm

    list_display = (
        "words", "kind", "category", "whose", "state", "importance", "labels", "updated",
    )  # fmt: skip
    list_filter = (
        KindFilter,
        CategoryFilter,
        ScopeFilter,
        OwnerFilter,
        StatusFilter,
        "source",
        "tier",
        "pinned",
    )
    search_fields = ("text",)
    ordering = ("-pk",)
    actions: ClassVar[list[Any]] = [*BULK_ACTIONS, export_facts]
    fieldsets: ClassVar[list[Any]] = [
        (None, {"fields": ["text", "why", "kind", "category", "tags", "importance", "shelf"]}),
        ("About", {"fields": ["entity", "key", "value"]}),
        ("Time", {"fields": ["decay_class", "expires_at", "source_date", "valid_from",
                             "valid_until", "pinned", "critical"]}),
        ("Where it is", {"fields": ["whose", "state", "status_reason", "source", "tier",
                                    "confidence", "recorded_at"]}),
    ]  # fmt: skip
    readonly_fields = (
        "whose", "state", "status_reason", "source", "tier", "confidence", "recorded_at",
    )  # fmt: skip

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With owner and last change, without the search vector."""
        return with_changed_at(rows.with_owner().defer("search"))  # type: ignore[attr-defined]  # a FactQuerySet

    def owner_of(self, row: Fact) -> User | None:
        """The owner of its scope."""
        return row.scope.owner

    def get_search_results(
        self, request: Any, queryset: Any, search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Memories whose text holds these characters."""
        term = search_term.strip()
        return (queryset.containing(term) if term else queryset), False

    @admin.display(description="Memory", ordering="text")
    def words(self, fact: Fact) -> str:
        """The beginning of the text."""
        return shortened(fact.text)

    @admin.display(description="Visible to", ordering="scope__kind")
    def whose(self, fact: Fact) -> str:
        """The scope with its owner."""
        return scope_words(fact.scope)

    @admin.display(description="Status", ordering="status")
    def state(self, fact: Fact) -> str:
        """Whether it is in use."""
        is_withdrawn = not fact.is_active and fact.status_reason.startswith(WITHDRAWN)
        return "withdrawn" if is_withdrawn else STATUSES[fact.status]

    @admin.display(description="Tags")
    def labels(self, fact: Fact) -> str:
        """The tags in one line."""
        return ", ".join(fact.tags)

    @admin.display(description="Updated", ordering="changed_at")
    def updated(self, fact: Any) -> datetime:
        """When it was last changed."""
        return fact.changed_at or fact.recorded_at  # type: ignore[no-any-return]  # annotated

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        """Staff; the wording of a passage is that of its document."""
        return super().has_change_permission(request, obj) and not (obj and obj.is_passage)

    def save_model(self, request: StaffRequest, obj: Fact, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Correct the memory in place.

        Raises: InvalidInput when another one says the same; Permanent without a usable vault key.
        """
        changes = {name: form.cleaned_data[name] for name in form.changed_data if name in EDITABLE}
        principal = hands_of(request)([obj.pk])
        with acting_as(principal):
            _, put = correct_without_secrets(principal=principal, fact_id=obj.pk, changes=changes)
        for each in put:
            messages.info(request, f"{each.note[0].upper()}{each.note[1:]}.")

    def delete_model(self, request: StaffRequest, obj: Fact) -> None:
        """Purge the memory with its history."""
        principal = hands_of(request)([obj.pk])
        with acting_as(principal):
            purge_fact(principal=principal, fact_id=obj.pk)
