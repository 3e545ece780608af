"""Conversations, with their turns to read."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from memory.admin.desk import CHANGE, DELETE, Desk
from memory.admin.filters import MomentFilter
from memory.admin.sight import StaffRequest, rows_for, seeing
from memory.admin.words import shortened
from memory.models import Conversation, Principal, Turn, User
from memory.services.removal import remove_conversation

TURNS_A_PAGE = 50


class TurnInline(TabularInline):  # type: ignore[misc]  # the theme's base has no types
    """What was said, to read only."""

    model = Turn
    verbose_name_plural = "Turns"
    fields = readonly_fields = ("observed_at", "role", "speaker", "text", "skipped")
    ordering = ("observed_at", "pk")
    extra = 0
    per_page = TURNS_A_PAGE
    can_delete = False
    view_on_site = False
    hide_title = True

    def get_queryset(self, request: StaffRequest) -> QuerySet[Any]:
        """The turns that this reader sees."""
        with seeing(request):
            turns: QuerySet[Any] = rows_for(request, Turn).defer("search").order_by(*self.ordering)
            return turns

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever sees the conversation."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: turns are what was said."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody; the conversation goes as a whole."""
        return False


@admin.register(Conversation)
class ConversationDesk(Desk):
    """Conversations of everybody."""

    noun, nouns = "Conversation", "Conversations"
    about = "What was said, turn by turn."
    pages = frozenset({CHANGE, DELETE})
    goes_along = "Its turns and own memories go with it; what the user keeps from it stays."
    inlines = (TurnInline,)

    list_display = ("words", "owner", "agent", "recorded_at")
    list_filter = (("recorded_at", MomentFilter),)
    search_fields = ("key", "title")
    ordering = ("-pk",)
    fields = readonly_fields = ("key", "title", "owner", "agent", "recorded_at")

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With owner and agent."""
        return rows.select_related("owner", "agent")

    @admin.display(description="Conversation", ordering="key")
    def words(self, conversation: Conversation) -> str:
        """Its title, or the client's own key."""
        return shortened(str(conversation))

    def owner_of(self, row: Conversation) -> User:
        """The person who talked."""
        return row.owner

    def delete_model(self, request: StaffRequest, obj: Conversation) -> None:
        """Remove it with all that hangs off it."""
        remove_conversation(principal=Principal(obj.owner), conversation_id=obj.pk)
