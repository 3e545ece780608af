"""Accounts: who they are and how much they hold, never what."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from memory.admin.desk import CHANGE, DELETE, Desk
from memory.admin.sight import StaffRequest
from memory.models import User
from memory.services.removal import remove_account


@admin.register(User)
class UserDesk(Desk):
    """Everybody who has an account; a superuser may remove one with all it holds."""

    noun, nouns = "Account", "Accounts"
    about = "Who may sign in, and what goes when somebody leaves. Roles are under People."
    pages = frozenset({CHANGE, DELETE})
    is_shared = True
    goes_along = "Their agents, conversations, documents, memories and tokens go with it, for good."

    list_display = ("email", "name", "is_active", "is_staff", "is_superuser", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    ordering = ("email",)
    fields = readonly_fields = (
        "email", "name", "time_zone", "locale", "is_active", "is_staff", "is_superuser",
        "last_login", "recorded_at",
    )  # fmt: skip

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Superusers."""
        return super().has_delete_permission(request, obj) and request.user.is_superuser

    def delete_model(self, request: StaffRequest, obj: User) -> None:
        """Remove the account with all that hangs off it.

        Raises: InvalidInput for one's own.
        """
        remove_account(principal=request.principal, user_id=obj.pk)
