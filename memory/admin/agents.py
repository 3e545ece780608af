"""Programs that remember on a person's behalf."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from memory.admin.desk import CHANGE, DELETE, Desk
from memory.admin.filters import MomentFilter
from memory.admin.sight import StaffRequest
from memory.models import Agent, Principal, User
from memory.services.removal import remove_agent


@admin.register(Agent)
class AgentDesk(Desk):
    """Agents of everybody, with what they hold."""

    noun, nouns = "Agent", "Agents"
    about = "Programs that remember for somebody, and what goes with them."
    pages = frozenset({CHANGE, DELETE})
    goes_along = "Its tokens, conversations and own memories go with it; what is the user's stays."

    list_display = ("name", "owner", "recorded_at")
    list_filter = (("recorded_at", MomentFilter),)
    search_fields = ("name",)
    ordering = ("name", "pk")
    fields = readonly_fields = ("name", "owner", "recorded_at")

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With the owner."""
        return rows.select_related("owner")

    def owner_of(self, row: Agent) -> User:
        """The person it works for."""
        return row.owner

    def delete_model(self, request: StaffRequest, obj: Agent) -> None:
        """Remove it with all that hangs off it."""
        remove_agent(principal=Principal(obj.owner), agent_id=obj.pk)
