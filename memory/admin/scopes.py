"""Scopes, which decide who reads a row, and how much each holds."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet

from memory.admin.desk import Desk
from memory.admin.filters import KindOfScopeFilter
from memory.admin.words import scope_words
from memory.models import Scope, User


@admin.register(Scope)
class ScopeDesk(Desk):
    """Scopes with their owner; they come and go with what they belong to."""

    noun, nouns = "Scope", "Scopes"
    about = "Who reads what: everyone, one person, one agent, one conversation."

    list_display = ("words", "whose")
    list_display_links = None
    list_filter = (KindOfScopeFilter,)
    ordering = ("kind", "pk")

    def dressed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """With target and owner."""
        return rows.select_related("user", "agent__owner", "conversation__owner")

    def owner_of(self, row: Scope) -> User | None:
        """The person whose rows it holds."""
        return row.owner

    @admin.display(description="Visible to")
    def words(self, scope: Scope) -> str:
        """The scope with its owner."""
        return scope_words(scope)

    @admin.display(description="Owner")
    def whose(self, scope: Scope) -> str:
        """The owner's address."""
        return str(scope.owner or "nobody")
