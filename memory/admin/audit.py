"""The record of the admin itself."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from memory.admin.desk import Desk
from memory.admin.filters import MomentFilter
from memory.models import AuditEntry


@admin.register(AuditEntry)
class AuditDesk(Desk):
    """Who looked at or changed whose rows, for superusers."""

    noun, nouns = "Audit entry", "Audit"
    about = "Who changed what here, and who looked at rows of others."
    is_shared = True
    superusers_only = True

    list_display = ("recorded_at", "actor", "action", "noun", "which")
    list_display_links = None
    list_filter = ("action", "noun", ("recorded_at", MomentFilter))
    ordering = ("-pk",)

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With the actor."""
        return rows.select_related("actor")

    @admin.display(description="Rows")
    def which(self, entry: AuditEntry) -> str:
        """The first of the ids, and how many there are."""
        first = str(entry.rows[0]) if entry.rows else ""
        return first if len(entry.rows) < 2 else f"{first} and {len(entry.rows) - 1:,} more"
