"""The record of the admin itself."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from memory.admin.desk import CHANGE, Desk
from memory.admin.filters import MomentFilter
from memory.admin.sight import StaffRequest
from memory.models import AuditEntry

GONE = "not there any more"


@admin.register(AuditEntry)
class AuditDesk(Desk):
    """Who looked at or changed whose rows, for superusers."""

    noun, nouns = "Audit entry", "Audit"
    about = "Who changed what here, and who looked at rows of others."
    pages = frozenset({CHANGE})
    is_shared = True
    superusers_only = True

    list_display = ("recorded_at", "who", "action", "how_many", "whose")
    list_filter = ("action", "noun", ("recorded_at", MomentFilter))
    search_fields = ("actor__email", "owner__email")
    search_help_text = "Part of an e-mail address"
    ordering = ("-pk",)
    fields = readonly_fields = ("recorded_at", "who", "action", "how_many", "whose", "links")

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With who did it and whose the rows were."""
        return rows.select_related("actor", "owner")

    def get_object(
        self, request: StaffRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """The entry, with the desk of its rows and those that the reader can open there."""
        entry = super().get_object(request, object_id, from_field)
        if entry is not None:
            entry.desk = self._desk_of(entry.noun)
            entry.here = _here(entry.desk, request, entry.rows)
        return entry

    @admin.display(description="Who", ordering="actor__email")
    def who(self, entry: AuditEntry) -> str:
        """The person who did it."""
        return str(entry.actor) if entry.actor else "an account that was removed"

    @admin.display(description="Whose", ordering="owner__email")
    def whose(self, entry: AuditEntry) -> str:
        """The owner of the rows; none for what everyone reads."""
        return str(entry.owner) if entry.owner else "—"

    @admin.display(description="To what")
    def how_many(self, entry: AuditEntry) -> str:
        """How many rows, of which kind."""
        desk, number = self._desk_of(entry.noun), len(entry.rows)
        nouns = desk.nouns.lower() if desk and number != 1 else entry.noun
        return f"{number:,} {nouns}"

    @admin.display(description="Which")
    def links(self, entry: Any) -> SafeString:
        """Each row by its id, with the way to it where it can be opened."""
        lines = ((_link(entry, pk),) for pk in entry.rows)
        return format_html(
            '<ul class="audited">{}</ul>', format_html_join("", "<li>{}</li>", lines)
        )

    def _desk_of(self, noun: str) -> Desk | None:
        desks = (each for each in self.admin_site._registry.values() if isinstance(each, Desk))
        return next((desk for desk in desks if desk.noun.lower() == noun), None)


def _here(desk: Desk | None, request: StaffRequest, ids: list[str]) -> set[str]:
    """Those of the rows that there are and that the reader can open."""
    if desk is None or CHANGE not in desk.pages or not desk.has_view_permission(request):
        return set()
    return {str(pk) for pk in desk.get_queryset(request).in_bulk(ids)}


def _link(entry: Any, pk: str) -> SafeString:
    if pk in entry.here:
        meta = entry.desk.opts
        address = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[pk])
        return format_html('<a class="text-link" href="{}">{}</a>', address, pk)
    is_gone = entry.desk is not None and CHANGE in entry.desk.pages
    return format_html("{}, {}", pk, GONE) if is_gone else format_html("{}", pk)
